#include "app/train/own_loops.h"

#include <atomic>

namespace lmzip::train {
namespace {

std::atomic<bool> allowed{true};

}  // namespace

bool by_own_loops(const torch::Tensor& tensor) noexcept { return allowed && tensor.is_cpu(); }

without_own_loops::without_own_loops() noexcept { allowed = false; }
without_own_loops::~without_own_loops() { allowed = true; }

}  // namespace lmzip::train
