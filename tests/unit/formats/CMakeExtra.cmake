# Every scene against the published schema, by a validator that is not ours.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME unit_formats.schema
         COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/unit/formats/validate_scenes.py ${PROJECT_SOURCE_DIR})
