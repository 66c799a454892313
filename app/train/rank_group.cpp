#include "app/train/rank_group.h"

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "lmzip/error.h"

// libtorch tells by macros what it was built with; the headers of gloo and nccl are packages of
// their own.
#if defined(USE_C10D_GLOO) && __has_include(<gloo/algorithm.h>)
#define LMZIP_TRAIN_GLOO
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#endif
#if defined(USE_C10D_NCCL) && __has_include(<nccl.h>)
#define LMZIP_TRAIN_NCCL
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif
#if defined(LMZIP_TRAIN_GLOO) || defined(LMZIP_TRAIN_NCCL)
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#endif

namespace lmzip::train {
namespace {

using torch::Tensor;

class one_rank : public rank_group {
 public:
  explicit one_rank(const rank& me) : rank_group(me) {}

 protected:
  void sum_all(Tensor&) override {}
  void send_all(Tensor&) override {}
};

#if defined(LMZIP_TRAIN_GLOO) || defined(LMZIP_TRAIN_NCCL)

constexpr std::chrono::minutes meeting_time{5};
constexpr std::chrono::minutes operation_time{30};  // rank 0 may be writing a checkpoint

template <typename backend>
class many_ranks : public rank_group {
 public:
  many_ranks(const rank& me, c10::intrusive_ptr<backend> group)
      : rank_group(me), group_(std::move(group)) {}

 protected:
  void sum_all(Tensor& tensor) override {
    std::vector<Tensor> tensors{tensor};
    group_->allreduce(tensors, c10d::AllreduceOptions())->wait();
  }
  void send_all(Tensor& tensor) override {
    std::vector<Tensor> tensors{tensor};
    group_->broadcast(tensors, c10d::BroadcastOptions())->wait();
  }

 private:
  c10::intrusive_ptr<backend> group_;
};

c10::intrusive_ptr<c10d::Store> meeting_place(const rank& me) {
  c10d::TCPStoreOptions options;
  options.port = me.port;
  options.isServer = me.number == 0;
  options.numWorkers = static_cast<std::size_t>(me.count);
  options.timeout = meeting_time;
  return c10::make_intrusive<c10d::TCPStore>(me.address, options);
}

#endif

#ifdef LMZIP_TRAIN_GLOO
std::unique_ptr<rank_group> join_by_gloo(const rank& me) {
  using gloo = c10d::ProcessGroupGloo;
  const auto options = gloo::Options::create();
  options->timeout = operation_time;
  const char* const interface = std::getenv("GLOO_SOCKET_IFNAME");
  options->devices.push_back(interface == nullptr ? gloo::createDefaultDevice()
                                                  : gloo::createDeviceForInterface(interface));
  return std::make_unique<many_ranks<gloo>>(
      me, c10::make_intrusive<gloo>(meeting_place(me), static_cast<int>(me.number),
                                    static_cast<int>(me.count), options));
}
#else
std::unique_ptr<rank_group> join_by_gloo(const rank&) {
  throw error(errc::usage,
              "this lmzip-train was built without gloo, which ranks on CPUs need (Debian: "
              "libgloo-dev)");
}
#endif

#ifdef LMZIP_TRAIN_NCCL
std::unique_ptr<rank_group> join_by_nccl(const rank& me) {
  using nccl = c10d::ProcessGroupNCCL;
  const auto options = nccl::Options::create();
  options->timeout = operation_time;
  return std::make_unique<many_ranks<nccl>>(
      me, c10::make_intrusive<nccl>(meeting_place(me), static_cast<int>(me.number),
                                    static_cast<int>(me.count), options));
}
#else
std::unique_ptr<rank_group> join_by_nccl(const rank&) {
  throw error(errc::usage,
              "this lmzip-train was built without nccl, which ranks on accelerators need");
}
#endif

}  // namespace

template <typename operation>
void rank_group::timed(const Tensor& tensor, const operation& run) {
  // Accelerators work on behind the program: what came before is no part of the exchange.
  const auto finish = [&] {
    if (tensor.is_cuda()) torch::cuda::synchronize(tensor.device().index());
  };
  finish();
  const auto begin = std::chrono::steady_clock::now();
  try {
    run();
    finish();
  } catch (const std::exception& failure) {
    throw error(errc::io, std::string("the other ranks do not answer: ") + failure.what());
  }
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void rank_group::sum(Tensor& tensor) {
  timed(tensor, [&] { sum_all(tensor); });
}

void rank_group::broadcast(Tensor& tensor) {
  timed(tensor, [&] { send_all(tensor); });
}

std::unique_ptr<rank_group> join_ranks(const rank& me, torch::DeviceType device) {
  if (me.count == 1) return std::make_unique<one_rank>(me);
  try {
    return device == torch::kCPU ? join_by_gloo(me) : join_by_nccl(me);
  } catch (const error&) {
    throw;
  } catch (const std::exception& failure) {
    throw error(errc::io, "the other ranks did not come to " + me.address + ":" +
                              std::to_string(me.port) + ": " + failure.what());
  }
}

}  // namespace lmzip::train
