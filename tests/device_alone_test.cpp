// What a rank that is alone on its node does without: memory that others may open.
#include <gtest/gtest.h>

#include <memory>

#include "device/backend_device.hpp"
#include "device/emulated_device.hpp"
#include "error_checks.hpp"
#include "ranks.hpp"

namespace weft::test {
namespace {

/// An emulated device on a machine where processes cannot open each other's memory.
class ClosedBackend : public DeviceBackend {
 public:
  const char* name_in_mpi() const override { return own_->name_in_mpi(); }
  Stream& stream() override { return own_->stream(); }
  std::unique_ptr<Stream> make_stream() override { return own_->make_stream(); }
  KernelLauncher& launcher() override { return own_->launcher(); }
  std::unique_ptr<LineTransform> plan_lines(const LineBatch& batch) override {
    return own_->plan_lines(batch);
  }
  std::shared_ptr<std::byte> allocate(std::size_t bytes) override { return own_->allocate(bytes); }
  std::shared_ptr<std::byte> allocate_on_host(std::size_t bytes) override {
    return own_->allocate_on_host(bytes);
  }
  OfferedMemory offer(std::size_t) override {
    throw Error("memory cannot be offered here", Error::Cause::internal);
  }
  std::shared_ptr<std::byte> open(const MemoryName& name, std::size_t bytes) override {
    return own_->open(name, bytes);
  }
  void clear(std::byte* memory, std::size_t bytes) override { own_->clear(memory, bytes); }
  bool holds(const void* address) const override { return own_->holds(address); }
  std::string message_library() override { return own_->message_library(); }
  OfferedGroup offer_group(int members) override { return own_->offer_group(members); }
  std::unique_ptr<DeviceMessages> make_messages(const GroupName& name) override {
    return own_->make_messages(name);
  }

 private:
  std::shared_ptr<DeviceBackend> own_ = make_emulated_backend(EmulatedOrder::eager);
};

TEST(LoneDeviceTest, OffersNobodyItsMemory) {
  const auto device = make_backend_device(std::make_shared<ClosedBackend>());
  const auto alone = Communicator::duplicate(MPI_COMM_SELF);
  const auto window = device->memory().share(alone, 1000);
  EXPECT_TRUE(device->holds(window->of(0)));
  if (world_ranks() == 1) return;
  const auto all = Communicator::duplicate(MPI_COMM_WORLD);
  EXPECT_NE(error_of([&] { device->memory().share(all, 1000); }).find("cannot be offered"),
            std::string::npos);
}

}  // namespace
}  // namespace weft::test
