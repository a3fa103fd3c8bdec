// The sender writes a message into a file as soon as everything before it is done. The receiver's
// stream reads it from there. The sender never waits for the receiver.
#include "device/emulated_messages.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <new>
#include <optional>
#include <vector>
#include <weft/error.hpp>

#include "device/emulated_memory.hpp"
#include "file/memory_file.hpp"
#include "machine/until.hpp"

namespace weft {
namespace {

constexpr double patience = 60;  // seconds until all members have joined

/// From one member to another, in memory that all members share.
struct Channel {
  MemoryFile::Name file;
  std::atomic<std::uint64_t> joined;  // whether the file is there
  std::atomic<std::uint64_t> written;
  std::atomic<std::uint64_t> read;
};

std::size_t table_bytes(int members) {
  return sizeof(Channel) * static_cast<std::size_t>(members) * static_cast<std::size_t>(members);
}

/// The channels of a group.
class Table {
 public:
  Table(const MemoryFile& file, int members) : members_(members) {
    void* const begin = mmap(nullptr, table_bytes(members), PROT_READ | PROT_WRITE, MAP_SHARED,
                             file.descriptor(), 0);
    if (begin == MAP_FAILED) throw std::bad_alloc();
    channels_ = static_cast<Channel*>(begin);
  }
  ~Table() { munmap(channels_, table_bytes(members_)); }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  Channel& channel(int from, int to) const { return channels_[from * members_ + to]; }
  int members() const { return members_; }

 private:
  int members_;
  Channel* channels_ = nullptr;
};

void check(bool succeeded, const char* call) {
  if (!succeeded)
    throw Error(fmt::format("emulated device: {}: {}", call, std::strerror(errno)),
                Error::Cause::internal);
}

/// Reads or writes bytes of a file, and advances the offset. `move`: pread or pwrite.
template <class Move, class Data>
void move_all(Move move, const char* name, const MemoryFile& file, Data* data, std::size_t bytes,
              std::uint64_t& offset) {
  for (std::size_t begin = 0; begin < bytes;) {
    const ssize_t done =
        move(file.descriptor(), data + begin, bytes - begin, static_cast<off_t>(offset));
    check(done > 0, name);
    begin += static_cast<std::size_t>(done);
    offset += static_cast<std::uint64_t>(done);
  }
}

using Size = std::array<std::byte, sizeof(std::uint64_t)>;  // of a message; precedes it

class Sender {
 public:
  explicit Sender(Channel& channel) : channel_(channel), file_(0) {
    channel_.file = file_.name();
    channel_.joined.store(1, std::memory_order_release);
  }

  /// The work before the message is done, so its bytes are ready.
  void send(const DeviceMessages::Message& message) {
    const std::uint64_t read = channel_.read.load(std::memory_order_acquire);
    if (read > freed_)
      check(fallocate(file_.descriptor(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                      static_cast<off_t>(freed_), static_cast<off_t>(read - freed_)) == 0,
            "fallocate");
    freed_ = read;
    std::uint64_t end = channel_.written.load(std::memory_order_relaxed);
    const Size size = std::bit_cast<Size>(std::uint64_t{message.bytes});
    move_all(pwrite, "pwrite", file_, size.data(), size.size(), end);
    move_all(pwrite, "pwrite", file_, emulated_bytes(message.memory), message.bytes, end);
    channel_.written.store(end, std::memory_order_release);
  }

 private:
  Channel& channel_;
  MemoryFile file_;
  std::uint64_t freed_ = 0;  // bytes that the receiver has read, and that take no memory any more
};

class Receiver {
 public:
  explicit Receiver(Channel& channel) : channel_(channel), file_(channel.file) {}

  /// Reads the message if it has arrived; else returns false.
  bool receive(const DeviceMessages::Message& message) {
    std::uint64_t begin = channel_.read.load(std::memory_order_relaxed);
    if (channel_.written.load(std::memory_order_acquire) == begin) return false;
    Size size{};
    move_all(pread, "pread", file_, size.data(), size.size(), begin);
    if (std::bit_cast<std::uint64_t>(size) != message.bytes)
      throw Error(fmt::format("emulated device: a message of {} bytes came where {} were expected",
                              std::bit_cast<std::uint64_t>(size), message.bytes),
                  Error::Cause::internal);
    move_all(pread, "pread", file_, emulated_bytes(message.memory), message.bytes, begin);
    channel_.read.store(begin, std::memory_order_release);
    return true;
  }

 private:
  Channel& channel_;
  MemoryFile file_;
};

class EmulatedMessages : public DeviceMessages {
 public:
  EmulatedMessages(const GroupName& name, EmulatedOrder order, EmulatedLock lock)
      : table_(MemoryFile::Name::from(name)), received_(Waiter::copies, order, std::move(lock)) {}

  void join(int members, int self) override {
    auto endpoints = std::make_shared<Endpoints>(*table_, members);
    table_.reset();
    for (int peer = 0; peer < members; ++peer)
      endpoints->senders.emplace_back(endpoints->table.channel(self, peer));
    for (int peer = 0; peer < members; ++peer) {
      Channel& channel = endpoints->table.channel(peer, self);
      if (!until([&] { return channel.joined.load(std::memory_order_acquire) != 0; }, patience))
        throw Error(
            fmt::format("emulated device: member {} did not join within {} s", peer, patience));
      endpoints->receivers.emplace_back(channel);
    }
    endpoints_ = std::move(endpoints);
  }

  SharedMark exchange(std::span<const Message> sent, std::span<const Message> received,
                      const Mark& after) override {
    if (endpoints_->given_up) throw Error("messages between devices have been given up");
    if (!forgets(Waiter::copies) && !after.is_over()) return nullptr;
    for (const Message& message : sent)
      endpoints_->senders[static_cast<std::size_t>(message.peer)].send(message);
    for (const Message& message : received)
      received_.append_trying([endpoints = endpoints_, message] {
        return endpoints->given_up ||
               endpoints->receivers[static_cast<std::size_t>(message.peer)].receive(message);
      });
    return received_.mark();
  }

  void give_up() noexcept override {
    if (endpoints_) endpoints_->given_up = true;
  }

 private:
  struct Endpoints {
    Endpoints(const MemoryFile& file, int members) : table(file, members) {}
    Table table;
    std::vector<Sender> senders;
    std::vector<Receiver> receivers;
    std::atomic<bool> given_up = false;
  };

  std::optional<MemoryFile> table_;       // until it has joined
  std::shared_ptr<Endpoints> endpoints_;  // marks may outlive this object
  EmulatedStream received_;
};

}  // namespace

OfferedGroup offer_emulated_group(int members) {
  const auto table = std::make_shared<MemoryFile>(table_bytes(members));
  OfferedGroup group{{}, table};
  table->name().write_to(group.name);
  return group;
}

std::unique_ptr<DeviceMessages> make_emulated_messages(const GroupName& name, EmulatedOrder order,
                                                       EmulatedLock lock) {
  return std::make_unique<EmulatedMessages>(name, order, std::move(lock));
}

}  // namespace weft
