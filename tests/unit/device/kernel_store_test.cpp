// Kernels that are kept in files: found again, and never another one's.
#include "backend/kernel_store.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/environment.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;

class KernelStoreTest : public testing::Test {
 protected:
  ~KernelStoreTest() override { fs::remove_all(folder_); }
  fs::path only_file() const { return fs::directory_iterator(folder_)->path(); }

  const fs::path folder_ = fs::temp_directory_path() / ("weft-kernels-" + std::to_string(getpid()));
  const std::shared_ptr<KernelStore> store_ = make_kernel_store(folder_);
  const std::string key_ = "a key\nof two lines", kernel_{"\0\n\x7f kernel", 10};
};

TEST_F(KernelStoreTest, FindsWhatWasKept) {
  EXPECT_EQ(store_->find(key_), std::nullopt);
  store_->keep(key_, kernel_);
  EXPECT_EQ(store_->find(key_), kernel_);
  EXPECT_EQ(make_kernel_store(folder_)->find(key_), kernel_);
  EXPECT_EQ(store_->find(key_ + " "), std::nullopt);
}

TEST_F(KernelStoreTest, AFileOfAnotherKernelIsNone) {
  store_->keep(key_, kernel_);
  std::string other = key_;
  other.back() = 'S';
  const fs::path file = only_file();
  store_->keep(other, "another");
  for (const auto& entry : fs::directory_iterator(folder_))
    if (entry.path() != file)
      fs::copy_file(file, entry.path(), fs::copy_options::overwrite_existing);
  EXPECT_EQ(store_->find(other), std::nullopt);
  EXPECT_EQ(store_->find(key_), kernel_);
}

TEST_F(KernelStoreTest, ADamagedFileIsNoneAndIsReplaced) {
  store_->keep(key_, kernel_);
  for (const auto size : {fs::file_size(only_file()) - 1, std::uintmax_t{3}, std::uintmax_t{0}}) {
    fs::resize_file(only_file(), size);
    EXPECT_EQ(store_->find(key_), std::nullopt) << size;
    store_->keep(key_, kernel_);
    EXPECT_EQ(store_->find(key_), kernel_);
  }
}

TEST_F(KernelStoreTest, AFileThatOthersMayHaveWrittenIsNone) {
  const mode_t umask_before = umask(0);
  store_->keep(key_, kernel_);
  umask(umask_before);
  EXPECT_EQ(store_->find(key_), kernel_);
  for (const auto more : {fs::perms::group_write, fs::perms::others_write}) {
    fs::permissions(only_file(), more, fs::perm_options::add);
    EXPECT_EQ(store_->find(key_), std::nullopt);
    fs::permissions(only_file(), more, fs::perm_options::remove);
    EXPECT_EQ(store_->find(key_), kernel_);
  }
  if (geteuid() == 0) {
    ASSERT_EQ(chown(only_file().c_str(), 12345, -1), 0);
    EXPECT_EQ(store_->find(key_), std::nullopt);
  }
  store_->keep(key_, kernel_);
  EXPECT_EQ(store_->find(key_), kernel_);
}

TEST_F(KernelStoreTest, ALinkIsNone) {
  store_->keep(key_, kernel_);
  const fs::path file = only_file(), elsewhere = folder_ / "elsewhere";
  fs::rename(file, elsewhere);
  fs::create_symlink(elsewhere, file);
  EXPECT_EQ(store_->find(key_), std::nullopt);
}

TEST_F(KernelStoreTest, AFolderThatCannotBeMadeKeepsNothing) {
  std::ofstream(folder_) << "a file";
  store_->keep(key_, kernel_);
  EXPECT_EQ(store_->find(key_), std::nullopt);
}

TEST_F(KernelStoreTest, WithoutWisdomNothingIsKept) {
  EnvironmentVariable wisdom("WEFT_WISDOM", "none");
  const auto store = default_kernel_store();
  store->keep(key_, kernel_);
  EXPECT_EQ(store->find(key_), std::nullopt);
  wisdom.set(folder_);
  default_kernel_store()->keep(key_, kernel_);
  EXPECT_EQ(default_kernel_store()->find(key_), kernel_);
}

}  // namespace
}  // namespace weft::test
