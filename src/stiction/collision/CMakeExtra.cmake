# Small fixed loops over axes and sides: unrolled, the pairs of the narrow phase cost a tenth less. Same bits. Not for
# what looks alike by chance, which -O3 would take up again: vectors of three are written number by number and would be
# read back in twos, which waits; for WebAssembly see cmake/StictionBuild.cmake.
target_compile_options(stiction_collision PRIVATE $<$<CONFIG:Release>:-O3> $<$<CONFIG:Release>:-fno-tree-slp-vectorize>)
