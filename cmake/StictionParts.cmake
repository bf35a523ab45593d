# The parts of src/stiction and their levels (tools/check_includes.py checks the includes against the same list).
# A part is linked with everything on lower levels. A part without sources is an INTERFACE target; a folder
# without files is skipped. src/stiction/<part>/CMakeExtra.cmake, where it exists, adds what is special to a part.

set(STICTION_LEVELS
    "base"
    "math"
    "ledger"
    "complementarity geometry dynamics constraints"
    "model collision laws impact"
    "formats particles"
    "forces"
    "drivetrain"
    "step"
    "record gpu"
    "report"
    "world"
    "sweep reproduce")
set(STICTION_ABOVE_THE_CORE record report gpu sweep reproduce)

stiction_precompiled_kind(engine)
# Parts whose files nearly all read the same large headers of ours.
set(STICTION_OWN_HEADERS_step stiction/step/workspace.h)
set(STICTION_OWN_HEADERS_report stiction/record/recording.h)
set(STICTION_OWN_HEADERS_reproduce stiction/world/world.h stiction/record/recording.h)
# Where the tests under sanitizers and the fuzz targets spend their time, -O1 costs less than it saves.
set(STICTION_HOT_PARTS base math geometry collision model formats record)
if(CMAKE_BUILD_TYPE STREQUAL "Sanitize")
  stiction_precompiled_kind(hot OPTIONS -O1)
endif()
set(STICTION_PARTS "")  # the parts that exist, lower ones first
set(lower "")
foreach(level IN LISTS STICTION_LEVELS)
  separate_arguments(parts UNIX_COMMAND "${level}")
  set(here "")
  foreach(part IN LISTS parts)
    if(STICTION_CORE_ONLY AND part IN_LIST STICTION_ABOVE_THE_CORE)
      continue()
    endif()
    set(folder ${CMAKE_CURRENT_SOURCE_DIR}/src/stiction/${part})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${folder}/*.h)
    set(target stiction_${part})
    if(sources)
      add_library(${target} STATIC ${sources} ${headers})
      set(visibility PUBLIC)
      stiction_compile_settings(${target})
      if(CMAKE_BUILD_TYPE STREQUAL "Sanitize" AND part IN_LIST STICTION_HOT_PARTS)
        target_compile_options(${target} PRIVATE -O1)
        stiction_precompiled(${target} hot)
      elseif(STICTION_PCH AND DEFINED STICTION_OWN_HEADERS_${part})
        list(TRANSFORM STICTION_OWN_HEADERS_${part} REPLACE "(.+)" "<\\1>" OUTPUT_VARIABLE own)
        target_precompile_headers(${target} PRIVATE ${STICTION_STANDARD_HEADERS} ${own})
      else()
        stiction_precompiled(${target} engine)
      endif()
    elseif(headers)
      add_library(${target} INTERFACE)
      set(visibility INTERFACE)
      stiction_compile_settings(${target} INTERFACE)
    else()
      continue()
    endif()
    add_library(stiction::${part} ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${part})
    target_include_directories(${target} ${visibility}
      $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(${target} ${visibility} ${lower})
    if(EXISTS ${folder}/CMakeExtra.cmake)
      include(${folder}/CMakeExtra.cmake)
    endif()
    list(APPEND here ${target})
    list(APPEND STICTION_PARTS ${part})
  endforeach()
  list(APPEND lower ${here})
endforeach()

# Third-party libraries, each only where it is used.
if(NOT EMSCRIPTEN)
  set(THREADS_PREFER_PTHREAD_FLAG ON)
  find_package(Threads REQUIRED)
  target_link_libraries(stiction_base PRIVATE Threads::Threads)
endif()

if(NOT STICTION_CORE_ONLY)
  find_package(nlohmann_json 3.11 REQUIRED)
  find_package(HDF5 REQUIRED COMPONENTS C)
  target_link_libraries(stiction_record PRIVATE nlohmann_json::nlohmann_json hdf5::hdf5)
  target_link_libraries(stiction_report PRIVATE nlohmann_json::nlohmann_json)
endif()

# The umbrella: everything that exists.
add_library(stiction INTERFACE)
add_library(stiction::stiction ALIAS stiction)
target_include_directories(stiction INTERFACE
  $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(stiction INTERFACE ${lower})
