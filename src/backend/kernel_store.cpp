// A file holds the key beside the kernel: two keys may share a hash, and other files may be there.
// Kernels are machine code, which runs as this user. Therefore only files are read that nobody else
// can have written, and each user of a folder has files of their own.
#include "backend/kernel_store.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <weft/error.hpp>

#include "file/kept_files.hpp"
#include "file/whole_file.hpp"

namespace weft {
namespace {

// Kernels take some hundred KiB; a larger file than this is not ours.
constexpr std::size_t largest_kernel = std::size_t{64} << 20;

class KernelFolder : public KernelStore {
 public:
  explicit KernelFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::optional<std::string> find(const std::string& key) override {
    std::optional<std::string> kernel;
    attempt(key, [&] {
      const auto text = read_own_file(path_of(key), largest_kernel);
      if (!text) return;
      std::string rest = text->substr(std::min(text->size(), head_of(key, 0).size()));
      if (*text != head_of(key, rest.size()) + rest)
        throw Error("is damaged, or the file of another kernel");
      kernel = std::move(rest);
    });
    return kernel;
  }

  void keep(const std::string& key, const std::string& kernel) override {
    attempt(key, [&] { replace_file(path_of(key), head_of(key, kernel.size()) + kernel, 0600); });
  }

 private:
  /// The text before a kernel of that many bytes; its own length does not depend on `bytes`.
  static std::string head_of(const std::string& key, std::size_t bytes) {
    return fmt::format("weft kernel of {:8} bytes, key of {}\n{}\n", bytes, key.size(), key);
  }
  std::filesystem::path path_of(const std::string& key) const {
    return folder_ / fmt::format("kernel-{}.bin", hash_of(fmt::format("{} {}", geteuid(), key)));
  }
  template <class Work>
  void attempt(const std::string& key, const Work& work) const {
    try {
      work();
    } catch (const Error& error) {
      complain_once(fmt::format("{}: {}", path_of(key).string(), error.what()));
    }
  }

  std::filesystem::path folder_;
};

class NoKernels : public KernelStore {
 public:
  std::optional<std::string> find(const std::string&) override { return std::nullopt; }
  void keep(const std::string&, const std::string&) override {}
};

}  // namespace

std::shared_ptr<KernelStore> make_kernel_store(std::filesystem::path folder) {
  return std::make_shared<KernelFolder>(std::move(folder));
}

std::shared_ptr<KernelStore> default_kernel_store() {
  if (auto folder = wisdom_path()) return make_kernel_store(*std::move(folder));
  return std::make_shared<NoKernels>();
}

}  // namespace weft
