# cmake --install: headers, libraries, the package for find_package(stiction), the program, scenes, schema and page.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/stiction)
list(TRANSFORM STICTION_PARTS PREPEND stiction_ OUTPUT_VARIABLE part_targets)
install(TARGETS stiction ${part_targets} EXPORT stictionTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT stictionTargets NAMESPACE stiction:: DESTINATION ${package_folder})
install(DIRECTORY src/stiction DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "detail" EXCLUDE)
# The memory that callers of solvers keep holds factors and scratch of the solvers' own types.
install(DIRECTORY src/stiction/complementarity DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stiction
        FILES_MATCHING PATTERN "*.h")

# The parts below the recordings: no other library is needed for them.
list(FIND STICTION_PARTS record first_with_files)
list(SUBLIST STICTION_PARTS 0 ${first_with_files} STICTION_PLAIN_PARTS)

# What reads no files: the parts below formats.
list(FIND STICTION_PARTS formats first_with_meshes)
list(SUBLIST STICTION_PARTS 0 ${first_with_meshes} STICTION_BARE_PARTS)

configure_package_config_file(cmake/stictionConfig.cmake.in ${CMAKE_BINARY_DIR}/stictionConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/stictionConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/stictionConfig.cmake ${CMAKE_BINARY_DIR}/stictionConfigVersion.cmake
        DESTINATION ${package_folder})

install(TARGETS stiction_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/scenes)
  install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/stiction FILES_MATCHING PATTERN "*.json*" PATTERN "*.obj")
endif()
install(DIRECTORY problems DESTINATION ${CMAKE_INSTALL_DATADIR}/stiction)
install(FILES schema/scene.schema.json schema/problem.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/stiction)
# The page, where `./stiction web` has built it.
install(DIRECTORY build/web/ DESTINATION ${CMAKE_INSTALL_DATADIR}/stiction/web OPTIONAL)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/stiction)
