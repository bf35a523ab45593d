# cmake -DBUILD=... -DSCRATCH=... -DCONSUMER=... -DCOMPILER=... [-DPYTHON=... -DPYTHON_FOLDER=...] -P check.cmake (see CMakeLists.txt)
set(prefix ${SCRATCH}/prefix)
file(REMOVE_RECURSE ${prefix} ${SCRATCH}/consumer)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "exit status ${status}: ${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${SCRATCH}/consumer -G Ninja -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${SCRATCH}/consumer)
run(${SCRATCH}/consumer/drop)
if(NOT output MATCHES "rests at")
  message(FATAL_ERROR "the consumer printed: ${output}")
endif()

# The solvers alone, without the engine and without any other library: the examples of their pages.
file(REMOVE_RECURSE ${SCRATCH}/solvers)
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/solvers -B ${SCRATCH}/solvers -G Ninja -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Release -DEXAMPLES=${CMAKE_CURRENT_LIST_DIR}/../../examples)
run(${CMAKE_COMMAND} --build ${SCRATCH}/solvers)
foreach(example lcp mcp friction)
  run(${SCRATCH}/solvers/${example})
endforeach()

# The installed program finds the installed scenes from any folder.
file(MAKE_DIRECTORY ${SCRATCH}/elsewhere)
run(${CMAKE_COMMAND} -E chdir ${SCRATCH}/elsewhere ${prefix}/bin/stiction check first)
run(${prefix}/bin/stiction version)

# The installed Python package, alone.
if(PYTHON)
  run(${CMAKE_COMMAND} -E chdir ${SCRATCH}/elsewhere ${CMAKE_COMMAND} -E env PYTHONPATH=${prefix}/${PYTHON_FOLDER}
      PYTHONDONTWRITEBYTECODE=1 ${PYTHON} ${CMAKE_CURRENT_LIST_DIR}/installed.py ${prefix})
endif()
