// A rank that is alone on its node needs no memory that others may open, and its host does not wait
// for its own passes.
#include <gtest/gtest.h>

#include <complex>
#include <memory>
#include <weft/plan.hpp>

#include "device/backend_device.hpp"
#include "device/device_arrays.hpp"
#include "device/emulated_device.hpp"
#include "device/emulated_memory.hpp"
#include "support/error_checks.hpp"

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
  expect_error([&] { device->memory().share(all, 1000); }, {"cannot be offered"});
}

/// Whether an array has anything but the zeros that it was made with: a lazy stream does nothing
/// while nobody waits for it.
bool is_written(const Array<std::complex<double>>& array) {
  return *reinterpret_cast<const double*>(emulated_bytes(array.data())) != 0;
}

TEST(LoneDeviceTest, DoesNotWaitBetweenItsOwnPasses) {
  for (const std::string exchange : {"auto", "shared", "push", "two_level", "p2p", "alltoallv"})
    for (const char* const grid : {"slab", "pencil"}) {
      SCOPED_TRACE(exchange + " " + grid);
      Options options = options_for("emulated-lazy", exchange);
      options.decomposition = Options::parse(std::string("decomposition=") + grid).decomposition;
      Plan plan(MPI_COMM_SELF, {6, 7, 8}, Kind::c2c, options);
      DeviceArrays first(plan, 1), second(plan, 2);
      for (DeviceArrays* const arrays : {&first, &second})
        plan.forward(arrays->in(), arrays->out());
      EXPECT_FALSE(is_written(first.out()));
      EXPECT_FALSE(is_written(second.out()));
      plan.synchronize();
      EXPECT_TRUE(first.is_right()) << first.error();
      EXPECT_TRUE(second.is_right()) << second.error();
    }
}

}  // namespace
}  // namespace weft::test
