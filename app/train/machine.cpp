#include "app/train/machine.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>

#include "lmzip/error.h"

namespace lmzip::train {

void keep_freed_memory() noexcept {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
}

double product_speed() {
  constexpr std::int64_t size = 512;
  const torch::NoGradGuard no_gradient;
  const torch::Tensor a = torch::ones({size, size});
  double best = 0;
  for (int turn = 0; turn < 3; ++turn) {
    const auto begin = std::chrono::steady_clock::now();
    const torch::Tensor product = torch::mm(a, a);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    best = std::max(best, 2.0 * size * size * size / seconds.count() / 1e9);
  }
  return best;
}

void warn_of_slow_products(app::messages& out) {
  if (const double speed = product_speed(); speed < slow_product_speed)
    out.note("",
             fmt::format("matrix products run at {:.1f} GFLOP/s only: training is several times "
                         "faster with another BLAS (Debian: libopenblas0-pthread)",
                         speed));
}

std::uint64_t peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6)) << 10;
  return 0;
}

torch::Device device_for(const std::string& name, std::int64_t local) {
  if (!name.empty() && name != "cpu" && name != "cuda")
    throw error(errc::usage, "no device is called " + name + " (cpu, cuda)");
  const auto accelerators = static_cast<std::int64_t>(torch::cuda::device_count());
  if (name == "cuda" && accelerators == 0)
    throw error(errc::usage, "there is no CUDA device, or libtorch was built without CUDA");
  if (name == "cpu" || accelerators == 0) return torch::kCPU;
  return {torch::kCUDA, static_cast<torch::DeviceIndex>(local % accelerators)};
}

}  // namespace lmzip::train
