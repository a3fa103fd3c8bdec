// Pretended memory, streams and messages, behind the interface of real ones.
#include "device/emulated_device.hpp"

#include <cstring>
#include <vector>

#include "device/backend_device.hpp"
#include "device/emulated_memory.hpp"
#include "device/emulated_messages.hpp"
#include "device/emulated_stream.hpp"
#include "device/host_launcher.hpp"
#include "machine/aligned_buffer.hpp"

namespace weft {
namespace {

/// The half spectra of a batch that no real numbers have: their ends have imaginary parts.
template <class Real>
std::vector<Index> spectra_of_no_reals(const LineBatch& batch, const std::byte* input) {
  const auto* const numbers = reinterpret_cast<const Real*>(input);
  const auto is_real = [&](Index line, Index place) {
    return numbers[2 * (line * batch.input_distance + place) + 1] == 0;
  };
  std::vector<Index> lines;
  for (Index line = 0; line < batch.lines; ++line)
    if (!is_real(line, 0) || (batch.length % 2 == 0 && !is_real(line, batch.length / 2)))
      lines.push_back(line);
  return lines;
}

/// Weft's engine of the host stands in for the device's library. Like some libraries, it computes
/// nothing useful from half spectra that no real numbers have.
template <class Real>
class EmulatedLines : public LineTransform {
 public:
  EmulatedLines(const LineBatch& batch, EmulatedStream& stream)
      : batch_(batch), lines_(find_engine("weft").plan(batch)), stream_(stream) {}
  void run(const void* input, void* output) const override {
    stream_.append([batch = batch_, lines = lines_, from = input, to = output] {
      const std::byte* const in = emulated_bytes(from);
      std::byte* const out = emulated_bytes(to);
      std::vector<Index> wrong;
      if (batch.kind == LineKind::c2r) wrong = spectra_of_no_reals<Real>(batch, in);
      lines->run(in, out);
      const Index line_bytes = batch.output_distance * Index{sizeof(Real)};
      for (const Index line : wrong)
        std::memset(out + line * line_bytes, 0xff, static_cast<std::size_t>(line_bytes));
    });
  }

 private:
  LineBatch batch_;
  std::shared_ptr<const LineTransform> lines_;
  EmulatedStream& stream_;
};

class EmulatedBackend : public DeviceBackend {
 public:
  EmulatedBackend(EmulatedOrder order, std::string bus) : order_(order), bus_(std::move(bus)) {}

  /// No MPI has functions for this kind, except one that a test pretends.
  const char* name_in_mpi() const override { return "emulated"; }
  std::string bus() const override { return bus_; }
  Stream& stream() override { return stream_; }
  std::unique_ptr<Stream> make_stream() override {
    return std::make_unique<EmulatedStream>(Waiter::copies, order_, lock_);
  }
  KernelLauncher& launcher() override { return launcher_; }
  std::shared_ptr<std::byte> allocate(std::size_t bytes) override {
    return allocate_emulated(bytes);
  }
  std::shared_ptr<std::byte> allocate_on_host(std::size_t bytes) override {
    const auto buffer = std::make_shared<AlignedBuffer>(bytes);
    std::memset(buffer->data(), 0xff, bytes);
    return {buffer, buffer->data()};
  }
  OfferedMemory offer(std::size_t bytes) override { return offer_emulated(bytes); }
  std::shared_ptr<std::byte> open(const MemoryName& name, std::size_t bytes) override {
    return open_emulated(name, bytes);
  }
  void clear(std::byte* memory, std::size_t bytes) override {
    std::memset(emulated_bytes(memory), 0, bytes);
  }
  bool holds(const void* address) const override { return is_emulated(address); }
  std::unique_ptr<LineTransform> plan_lines(const LineBatch& batch) override {
    if (batch.precision == Precision::double_)
      return std::make_unique<EmulatedLines<double>>(batch, stream_);
    return std::make_unique<EmulatedLines<float>>(batch, stream_);
  }
  std::string message_library() override { return "pretended messages"; }
  OfferedGroup offer_group(int members) override { return offer_emulated_group(members); }
  std::unique_ptr<DeviceMessages> make_messages(const GroupName& name) override {
    return make_emulated_messages(name, order_, lock_);
  }

 private:
  EmulatedOrder order_;
  std::string bus_;
  EmulatedLock lock_ = std::make_shared<std::recursive_mutex>();
  EmulatedStream stream_{Waiter::passes, order_, lock_};
  HostLauncher launcher_{
      [](DeviceAddress at) { return emulated_bytes(reinterpret_cast<const void*>(at)); },
      [this](std::function<void()> work) { stream_.append(std::move(work)); }};
};

}  // namespace

std::shared_ptr<DeviceBackend> make_emulated_backend(EmulatedOrder order, std::string bus) {
  return std::make_shared<EmulatedBackend>(order, std::move(bus));
}

std::shared_ptr<Device> make_emulated_device(EmulatedOrder order) {
  return make_backend_device(make_emulated_backend(order));
}

}  // namespace weft
