# lmzip_layer(NAME SOURCES file... [LAYERS layer...] [LIBRARIES library...])
#
# Declares one layer of the library as the static library lmzip_NAME. It links only the layers
# named, so that a call to a layer on its left does not link; tests/layering.py reads the includes.
# The global property LMZIP_LAYERS lists all layers.
function(lmzip_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LAYERS;LIBRARIES")
  add_library(lmzip_${name} STATIC ${arg_SOURCES})
  list(TRANSFORM arg_LAYERS PREPEND lmzip_)
  target_link_libraries(lmzip_${name} PUBLIC lmzip_flags ${arg_LAYERS} ${arg_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY LMZIP_LAYERS ${name})
endfunction()
