# stiction_embed(target file symbol): builds the bytes of a file into a target, as
#
#   namespace stiction::embedded { std::string_view symbol(); }
#
# which the target declares in a header of its own. The source is generated at build time, again whenever the
# file changes. This file is also the generator: cmake -DINPUT=.. -DOUTPUT=.. -DSYMBOL=.. -P StictionEmbed.cmake

if(CMAKE_SCRIPT_MODE_FILE)
  file(READ "${INPUT}" bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REPEAT "[^,]*," 20 twenty)
  string(REGEX REPLACE "(${twenty})" "\\1\n" bytes "${bytes}")
  file(WRITE "${OUTPUT}"
"// Generated from ${NAME}; do not edit.
#include <string_view>

namespace stiction::embedded {
std::string_view ${SYMBOL}();
std::string_view ${SYMBOL}() {
  static constexpr unsigned char bytes[] = {
${bytes}0};
  return {reinterpret_cast<const char*>(bytes), ${size}};
}
}  // namespace stiction::embedded
")
  return()
endif()

set(STICTION_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(stiction_embed target file symbol)
  get_filename_component(input ${file} ABSOLUTE)
  get_filename_component(name ${file} NAME)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded/${symbol}.cpp)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${input} -DOUTPUT=${output} -DSYMBOL=${symbol} -DNAME=${name}
            -P ${STICTION_EMBED_SCRIPT}
    DEPENDS ${input} ${STICTION_EMBED_SCRIPT}
    COMMENT "Embedding ${name}"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
