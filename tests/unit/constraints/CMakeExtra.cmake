# Joints as constraints are compared with the same joints as coordinates.
target_link_libraries(unit_constraints PRIVATE stiction_dynamics)
