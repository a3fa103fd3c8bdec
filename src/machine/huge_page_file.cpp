// Users may mount a file system in a user namespace of their own. A child process enters a new
// namespace and makes the file there. It shares this process's table of open files, so the file
// stays open here when the child has ended.
#include "machine/huge_page_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <limits>
#include <string>
#include <utility>

#include "machine/aligned_buffer.hpp"

#ifdef __linux__
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#endif

namespace weft {

std::uint64_t huge_pages_in_reserve() {
  std::uint64_t pages = 0, promised = 0;
  const std::string pool =
      fmt::format("/sys/kernel/mm/hugepages/hugepages-{}kB/", huge_page_bytes >> 10);
  std::ifstream(pool + "free_hugepages") >> pages;
  std::ifstream(pool + "resv_hugepages") >> promised;
  return pages > promised ? (pages - promised) * huge_page_bytes : 0;
}

std::uint64_t available_memory() {
  std::ifstream file("/proc/meminfo");
  std::uint64_t kilobytes = 0;
  for (std::string name; file >> name;) {
    if (name == "MemAvailable:" && file >> kilobytes) break;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return kilobytes << 10;
}

HugePageFile::HugePageFile(HugePageFile&& other) noexcept
    : number_(std::exchange(other.number_, -1)) {}

HugePageFile::~HugePageFile() { close(); }

HugePageMapping::HugePageMapping(HugePageMapping&& other) noexcept { *this = std::move(other); }

HugePageMapping& HugePageMapping::operator=(HugePageMapping&& other) noexcept {
  std::swap(begin_, other.begin_);
  std::swap(range_, other.range_);
  std::swap(range_bytes_, other.range_bytes_);
  return *this;
}

#if defined(MFD_HUGETLB) && defined(MADV_POPULATE_WRITE) && defined(SYS_fsopen)

namespace {

// From linux/mount.h, which older systems cannot include together with sys/mount.h.
constexpr unsigned fsopen_close_on_exec = 1, fsmount_close_on_exec = 1;
constexpr unsigned fsconfig_set_string = 1, fsconfig_create = 6;

/// The child's data, made before it starts: it runs in this process's memory, and may do nothing
/// but system calls.
struct Request {
  std::array<std::string, 3> files{"/proc/self/uid_map", "/proc/self/setgroups",
                                   "/proc/self/gid_map"};
  std::array<std::string, 3> texts{fmt::format("{0} {0} 1", getuid()), "deny",
                                   fmt::format("{0} {0} 1", getgid())};
  int file = -1;  // the answer
};

/// An unnamed file in a new file system that is mounted nowhere, or -1.
int open_in_new_file_system() {
  const long context = syscall(SYS_fsopen, "tmpfs", fsopen_close_on_exec);
  if (context < 0) return -1;
  long mount = -1, file = -1;
  if (syscall(SYS_fsconfig, context, fsconfig_set_string, "huge", "advise", 0) == 0 &&
      syscall(SYS_fsconfig, context, fsconfig_create, nullptr, nullptr, 0) == 0)
    mount = syscall(SYS_fsmount, context, fsmount_close_on_exec, 0);
  if (mount >= 0)
    file = syscall(SYS_openat, mount, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (mount >= 0) syscall(SYS_close, mount);
  syscall(SYS_close, context);
  return static_cast<int>(file);
}

/// Runs in the child. Files that it makes belong to the same user and group as outside.
int open_in_user_namespace(void* pointer) {
  auto& request = *static_cast<Request*>(pointer);
  for (std::size_t i = 0; i < request.files.size(); ++i) {
    const long map = syscall(SYS_openat, AT_FDCWD, request.files[i].c_str(), O_WRONLY | O_CLOEXEC);
    if (map < 0) return 1;
    const long size = static_cast<long>(request.texts[i].size());
    const bool is_written = syscall(SYS_write, map, request.texts[i].data(), size) == size;
    syscall(SYS_close, map);
    if (!is_written) return 1;
  }
  request.file = open_in_new_file_system();
  return 0;
}

/// Works like posix_spawn: this thread sleeps until the child has ended, and no signal handler runs
/// in the child.
int open_by_child() {
  Request request;
  constexpr std::size_t stack_bytes = std::size_t{64} << 10;
  const AlignedBuffer stack(stack_bytes);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const int child =
      clone(open_in_user_namespace, stack.data() + stack_bytes,
            CLONE_VM | CLONE_VFORK | CLONE_FILES | CLONE_NEWUSER | CLONE_NEWNS, &request);
  if (child > 0)
    while (waitpid(child, nullptr, __WALL) < 0 && errno == EINTR) {
    }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return request.file;
}

}  // namespace

HugePageFile HugePageFile::in_reserve(std::size_t bytes) {
  HugePageFile file(memfd_create("weft", MFD_CLOEXEC | MFD_HUGETLB));
  file.resize(bytes);
  return file;
}

HugePageFile HugePageFile::in_own_file_system(std::size_t bytes) {
  int number = open_in_new_file_system();
  if (number < 0) number = open_by_child();
  HugePageFile file(number);
  file.resize(bytes);
  return file;
}

HugePageFile::HugePageFile(const Place& place)
    : number_(::open(fmt::format("/proc/{}/fd/{}", place.process, place.number).c_str(),
                     O_RDWR | O_CLOEXEC)) {
  if (is_open() && !this->place().is_file_of(place)) close();
}

HugePageFile::Place HugePageFile::place() const {
  struct stat about {};
  if (fstat(number_, &about) != 0) return {};
  return {getpid(), number_, about.st_dev, about.st_ino};
}

void HugePageFile::resize(std::size_t bytes) {
  if (is_open() && ftruncate(number_, static_cast<off_t>(bytes)) != 0) close();
}

void HugePageFile::close() {
  if (is_open()) ::close(number_);
  number_ = -1;
}

HugePageMapping::HugePageMapping(const HugePageFile& file, std::size_t bytes) {
  if (!file.is_open()) return;
  range_bytes_ = bytes + huge_page_bytes;
  void* const range =
      mmap(nullptr, range_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) return;
  range_ = range;
  void* const aligned =
      reinterpret_cast<void*>(round_up(reinterpret_cast<std::uintptr_t>(range), huge_page_bytes));
  if (mmap(aligned, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file.number(), 0) ==
      MAP_FAILED)
    return;
  madvise(aligned, bytes, MADV_HUGEPAGE);  // the reserve refuses this, but has only huge pages
  if (madvise(aligned, bytes, MADV_POPULATE_WRITE) == 0) begin_ = static_cast<std::byte*>(aligned);
}

HugePageMapping::~HugePageMapping() {
  if (range_ != nullptr) munmap(range_, range_bytes_);
}

#else

HugePageFile HugePageFile::in_reserve(std::size_t /*bytes*/) { return HugePageFile(-1); }
HugePageFile HugePageFile::in_own_file_system(std::size_t /*bytes*/) { return HugePageFile(-1); }
HugePageFile::HugePageFile(const Place& /*place*/) {}
HugePageFile::Place HugePageFile::place() const { return {}; }
void HugePageFile::close() {}
HugePageMapping::HugePageMapping(const HugePageFile& /*file*/, std::size_t /*bytes*/) {}
HugePageMapping::~HugePageMapping() = default;

#endif

}  // namespace weft
