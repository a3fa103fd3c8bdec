# Writes OUTPUT, which defines kernel_sources(), from the files FILES below ROOT.
set(entries)
foreach(file IN LISTS FILES)
  file(READ ${ROOT}/${file} text)
  string(APPEND entries "    {\"${file}\", R\"__weft__(${text})__weft__\"},\n")
endforeach()
set(text "#include \"cuda/kernel_sources.hpp\"

namespace weft {

std::span<const KernelSource> kernel_sources() {
  static constexpr KernelSource sources[] = {
${entries}  };
  return sources;
}

}  // namespace weft
")
file(WRITE ${OUTPUT} "${text}")
