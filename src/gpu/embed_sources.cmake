# Writes OUTPUT, which defines kernel_sources(), from the files FILES, each below one of ROOTS.
set(entries)
foreach(file IN LISTS FILES)
  find_file(path ${file} PATHS ${ROOTS} NO_CACHE REQUIRED NO_DEFAULT_PATH)
  file(READ ${path} text)
  unset(path)
  string(APPEND entries "    {\"${file}\", R\"__weft__(${text})__weft__\"},\n")
endforeach()
set(text "#include \"gpu/kernel_sources.hpp\"

namespace weft {

std::span<const KernelSource> kernel_sources() {
  static constexpr KernelSource sources[] = {
${entries}  };
  return sources;
}

}  // namespace weft
")
file(WRITE ${OUTPUT} "${text}")
