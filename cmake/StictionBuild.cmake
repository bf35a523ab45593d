# Compiler settings shared by every target.
#
# Same bits everywhere: no fused multiply-add across an expression (-ffp-contract=off, PUBLIC, because inline
# functions of our headers are compiled into the user's program too), no -march=native, no -ffast-math.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
if(EMSCRIPTEN)
  # WebAssembly: one thread, vector registers. Not for what looks alike by chance: what clang 14 makes of the inverse of a
  # 6x6 block that way (complementarity/block_lu.cpp) has other bits.
  add_compile_options(-msimd128 -fno-slp-vectorize)
  add_compile_definitions(STICTION_NO_THREADS)
else()
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo or Debug" FORCE)
  endif()
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

  # Compiler cache: paths below the clone are made relative and the build folder is left out of the key. Other clones find what
  # an earlier one compiled only where there are no precompiled headers (STICTION_CORE_ONLY): theirs differ from clone to clone.
  find_program(STICTION_CCACHE ccache)
  if(STICTION_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT STICTION_SANITIZE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
        CCACHE_SLOPPINESS=pch_defines,time_macros ${STICTION_CCACHE})
    set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
  endif()

  if(STICTION_SANITIZE)
    add_compile_options(-fsanitize=${STICTION_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${STICTION_SANITIZE})
  endif()
endif()

set(STICTION_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND STICTION_WARNINGS -Wno-array-bounds)  # false ones of std::string from precompiled headers
endif()
if(STICTION_WERROR)
  list(APPEND STICTION_WARNINGS -Werror)
endif()

# stiction_compile_settings(target [INTERFACE]): what every target of ours is compiled with.
function(stiction_compile_settings target)
  if("INTERFACE" IN_LIST ARGN)
    target_compile_features(${target} INTERFACE cxx_std_20)
    target_compile_options(${target} INTERFACE -ffp-contract=off)
  else()
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_compile_options(${target} PUBLIC -ffp-contract=off PRIVATE ${STICTION_WARNINGS})
    if(NOT EMSCRIPTEN)  # own functions of a file may be inlined in spite of -fPIC
      target_compile_options(${target} PRIVATE -fno-semantic-interposition)
    endif()
  endif()
endfunction()

# Precompiled headers: half of the time of a small file goes into <vector> and its like. Not for the engine alone (WebAssembly, the
# builds of `tools/hash_agreement.sh` at full size), where every file must name what it includes; clang writes the clone's path into
# them, so that the builds with sanitizers do without the compiler cache.
set(STICTION_PCH ON)
if(STICTION_CORE_ONLY OR EMSCRIPTEN OR NOT PROJECT_IS_TOP_LEVEL)
  set(STICTION_PCH OFF)
endif()

# stiction_precompiled_kind(kind [PROGRAMS] [HEADERS ..] [OPTIONS ..] [LINK ..]): these and the standard headers.
# stiction_precompiled(target kind): a target compiled with the same options reads them from there.
set(STICTION_STANDARD_HEADERS <algorithm> <array> <cmath> <cstdint> <cstring> <functional> <limits> <map> <memory> <optional>
    <set> <span> <string> <string_view> <utility> <variant> <vector>)
function(stiction_precompiled_kind kind)
  if(STICTION_PCH)
    cmake_parse_arguments(PARSE_ARGV 1 a "PROGRAMS" "" "HEADERS;OPTIONS;LINK")
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled/empty.cpp CONTENT "")
    add_library(precompiled_${kind} OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/precompiled/empty.cpp)
    stiction_compile_settings(precompiled_${kind})
    target_compile_options(precompiled_${kind} PRIVATE ${a_OPTIONS})
    target_link_libraries(precompiled_${kind} PRIVATE ${a_LINK})
    if(a_PROGRAMS)  # what CMake compiles them with, and not libraries
      set_target_properties(precompiled_${kind} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(precompiled_${kind} PRIVATE -fPIE)
    endif()
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      target_compile_options(precompiled_${kind} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")  # else nothing of it can be cached
    endif()
    target_precompile_headers(precompiled_${kind} PRIVATE ${STICTION_STANDARD_HEADERS} ${a_HEADERS})
  endif()
endfunction()
function(stiction_precompiled target kind)
  if(STICTION_PCH)
    target_precompile_headers(${target} REUSE_FROM precompiled_${kind})
  endif()
endfunction()
