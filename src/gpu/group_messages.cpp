// Each group has a stream, so messages of different fields do not wait for each other. NCCL's
// kernels wait for their peers until the group is given up. After a failure, the group is therefore
// given up first.
#include "gpu/group_messages.hpp"

#include "gpu/communicator.hpp"
#include "gpu/gpu_stream.hpp"

namespace weft {
namespace {

/// Also reports failures of NCCL, which events do not show.
class Arrived : public GpuMark {
 public:
  Arrived(std::shared_ptr<const GpuContext> context, runtime::StreamHandle stream,
          std::shared_ptr<GpuCommunicator> group)
      : GpuMark(std::move(context), stream), group_(std::move(group)) {}
  bool is_over() const override {
    if (GpuMark::is_over()) return true;
    group_->check();
    return false;
  }

 private:
  std::shared_ptr<GpuCommunicator> group_;
};

class GroupMessages : public DeviceMessages {
 public:
  GroupMessages(std::shared_ptr<const GpuContext> context, const GroupName& name)
      : context_(std::move(context)),
        name_(name),
        stream_(context_, GpuStream::Waits::for_nothing) {}
  ~GroupMessages() override {
    free_on(*context_, [&] { group_ = nullptr; });
  }
  GroupMessages(const GroupMessages&) = delete;
  GroupMessages& operator=(const GroupMessages&) = delete;

  void join(int members, int self) override {
    const GpuContext::Current current(*context_);
    group_ = std::make_shared<GpuCommunicator>(name_, members, self);
  }

  SharedMark exchange(std::span<const Message> sent, std::span<const Message> received,
                      const Mark& after) override {
    const GpuContext::Current current(*context_);
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
  std::shared_ptr<const GpuContext> context_;
  GroupName name_;
  GpuStream stream_;
  std::shared_ptr<GpuCommunicator> group_;  // marks may outlive this object
};

}  // namespace

std::unique_ptr<DeviceMessages> make_group_messages(std::shared_ptr<const GpuContext> context,
                                                    const GroupName& name) {
  return std::make_unique<GroupMessages>(std::move(context), name);
}

}  // namespace weft
