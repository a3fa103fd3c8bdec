// Each group has a stream, so messages of different fields do not wait for each other. NCCL's
// kernels wait for their peers until the group is given up. After a failure, the group is therefore
// given up first.
#include "cuda/nccl_messages.hpp"

#include "cuda/cuda_stream.hpp"
#include "cuda/nccl.hpp"

namespace weft {
namespace {

/// Also reports failures of NCCL, which events of CUDA do not show.
class Arrived : public CudaMark {
 public:
  Arrived(std::shared_ptr<const CudaContext> context, cudaStream_t stream,
          std::shared_ptr<NcclGroup> group)
      : CudaMark(std::move(context), stream), group_(std::move(group)) {}
  bool is_over() const override {
    if (CudaMark::is_over()) return true;
    group_->check();
    return false;
  }

 private:
  std::shared_ptr<NcclGroup> group_;
};

class NcclMessages : public DeviceMessages {
 public:
  NcclMessages(std::shared_ptr<const CudaContext> context, const GroupName& name)
      : context_(std::move(context)), name_(name), stream_(context_, cudaStreamNonBlocking) {}
  ~NcclMessages() override {
    free_on(*context_, [&] { group_ = nullptr; });
  }
  NcclMessages(const NcclMessages&) = delete;
  NcclMessages& operator=(const NcclMessages&) = delete;

  void join(int members, int self) override {
    const CudaContext::Current current(*context_);
    group_ = std::make_shared<NcclGroup>(name_, members, self);
  }

  SharedMark exchange(std::span<const Message> sent, std::span<const Message> received,
                      const Mark& after) override {
    const CudaContext::Current current(*context_);
    try {
      group_->check();
      stream_.wait_for(after);
      group_->exchange(sent, received, stream_.get());
    } catch (...) {
      group_->give_up();
      throw;
    }
    return std::make_shared<const Arrived>(context_, stream_.get(), group_);
  }

  void give_up() noexcept override {
    free_on(*context_, [&] {
      if (group_) group_->give_up();
    });
  }

 private:
  std::shared_ptr<const CudaContext> context_;
  GroupName name_;
  CudaStream stream_;
  std::shared_ptr<NcclGroup> group_;  // marks may outlive this object
};

}  // namespace

std::unique_ptr<DeviceMessages> make_nccl_messages(std::shared_ptr<const CudaContext> context,
                                                   const GroupName& name) {
  return std::make_unique<NcclMessages>(std::move(context), name);
}

}  // namespace weft
