# Small fixed loops over axes and sides: unrolled, the pairs of the narrow phase cost a tenth less. Same bits; for
# WebAssembly what cmake/StictionBuild.cmake says of clang has to be said again, since -O3 takes it back.
target_compile_options(stiction_collision PRIVATE
  $<$<CONFIG:Release>:-O3> $<$<AND:$<CONFIG:Release>,$<BOOL:${EMSCRIPTEN}>>:SHELL:-fno-slp-vectorize>)
