// Each group has a stream: those of different fields do not wait for each other.
#include "cuda/nccl_messages.hpp"

#include <optional>

#include "cuda/cuda_stream.hpp"
#include "cuda/nccl.hpp"

namespace weft {
namespace {

class NcclMessages : public DeviceMessages {
 public:
  NcclMessages(std::shared_ptr<const CudaContext> context, const GroupName& name, int members,
               int self)
      : context_(std::move(context)), stream_(context_, cudaStreamNonBlocking) {
    const CudaContext::Current current(*context_);
    group_.emplace(name, members, self);
  }
  /// NCCL's own destructor waits for what is on its way, which after a failure may be forever.
  ~NcclMessages() override {
    free_on(*context_, [&] {
      if (last_ == nullptr || last_->is_over()) group_->close();
      group_.reset();
    });
  }
  NcclMessages(const NcclMessages&) = delete;
  NcclMessages& operator=(const NcclMessages&) = delete;

  /// What has failed since the last call is thrown here: nothing else asks NCCL.
  SharedMark exchange(std::span<const Message> sent, std::span<const Message> received,
                      const Mark& after) override {
    const CudaContext::Current current(*context_);
    group_->check();
    stream_.wait_for(after);
    group_->exchange(sent, received, stream_.get());
    return last_ = stream_.mark();
  }

 private:
  std::shared_ptr<const CudaContext> context_;
  CudaStream stream_;
  std::optional<NcclGroup> group_;
  SharedMark last_;
};

}  // namespace

std::unique_ptr<DeviceMessages> join_nccl_group(std::shared_ptr<const CudaContext> context,
                                                const GroupName& name, int members, int self) {
  return std::make_unique<NcclMessages>(std::move(context), name, members, self);
}

}  // namespace weft
