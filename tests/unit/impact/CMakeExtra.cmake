# Counts allocations as the tests of dynamics do.
target_sources(unit_impact PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/unit/dynamics/allocation_count.cpp)
