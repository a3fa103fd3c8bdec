# Where programs and libraries that are installed search for others. CMake otherwise links them with a path for the build
# tree, which it edits when it installs them and ends with empty entries for the room that this may take. In the build tree
# they would search the current folder, and run what somebody has put there.
function(weft_link_as_installed)
  set_target_properties(${ARGN} PROPERTIES BUILD_WITH_INSTALL_RPATH ON)
endfunction()
