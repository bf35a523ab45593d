# Mesh files are read with assimp, where it is found; without it, scenes with mesh files are refused with that reason.
if(NOT STICTION_CORE_ONLY)
  find_package(assimp QUIET)
  if(assimp_FOUND)
    set(STICTION_ASSIMP TRUE)
    target_link_libraries(stiction_formats PRIVATE assimp::assimp)
    set_property(SOURCE ${CMAKE_CURRENT_LIST_DIR}/mesh_file.cpp APPEND PROPERTY COMPILE_DEFINITIONS STICTION_ASSIMP)
  endif()
endif()
