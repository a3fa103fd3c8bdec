# Which compilers can build Weft, and the flags that all its targets share. Folders of a parent project do
# not see these flags, and as a subproject Weft enables no warnings, which its users could not act on.

set(_weft_oldest_GNU 12)
set(_weft_oldest_Clang 14)
set(_weft_oldest ${_weft_oldest_${CMAKE_CXX_COMPILER_ID}})
if(_weft_oldest AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS _weft_oldest)
  message(FATAL_ERROR "Weft needs C++20, which GCC ${_weft_oldest_GNU}, Clang ${_weft_oldest_Clang} and newer "
    "compilers have; ${CMAKE_CXX_COMPILER} is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}. "
    "Choose another with -DCMAKE_CXX_COMPILER=...")
endif()

# Keeps Open MPI 4 from including MPI's C++ bindings, which are obsolete.
add_compile_definitions(OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)

# Else ccache cannot cache files behind precompiled headers, which are most. It wants CCACHE_SLOPPINESS, too: see `run`.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES ccache)
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endif()

if(WEFT_SANITIZE MATCHES thread AND NOT WEFT_SANITIZE STREQUAL thread)
  message(FATAL_ERROR "WEFT_SANITIZE is ${WEFT_SANITIZE}; thread goes with no other")
endif()
# libFuzzer is a part of Clang, and finds more with the sanitizers that see what goes wrong.
if(WEFT_BUILD_FUZZERS)
  if(NOT PROJECT_IS_TOP_LEVEL OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "WEFT_BUILD_FUZZERS needs Clang, for its libFuzzer, and Weft as the top-level project; "
      "${CMAKE_CXX_COMPILER} is ${CMAKE_CXX_COMPILER_ID}. Choose another with -DCMAKE_CXX_COMPILER=clang++")
  endif()
  if(NOT WEFT_SANITIZE)
    set(WEFT_SANITIZE address,undefined)
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(PROJECT_IS_TOP_LEVEL)
  # GCC 12 warns of overlaps inside std::string that cannot happen (GCC bug 105651).
  add_compile_options(-Wall -Wextra $<$<COMPILE_LANGUAGE:C,CXX>:-Wno-cast-function-type>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)
  if(WEFT_WERROR)
    add_compile_options(-Werror)
  endif()
  if(WEFT_SANITIZE)
    # -O1 and -g1 suffice for lines in traces, and compile in half the time of -O2 and -g.
    add_compile_options(
      -fsanitize=${WEFT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -O1 -g1)
    add_link_options(-fsanitize=${WEFT_SANITIZE})
    # Clang's checks of C++ types are in a library of their own, which programs in C that use libweft.so need, too.
    if(WEFT_SANITIZE MATCHES undefined)
      add_link_options($<$<LINK_LANG_AND_ID:C,Clang>:-fsanitize-link-c++-runtime> $<$<LINK_LANG_AND_ID:C,Clang>:-lstdc++>)
    endif()
  endif()
endif()
