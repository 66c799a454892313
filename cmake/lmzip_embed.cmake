# lmzip_embed(TARGET SYMBOL FILE)
#
# Puts the bytes of FILE into TARGET as read-only data. C++ sees them as
#   extern "C" const std::byte SYMBOL[];
#   extern "C" const std::uint64_t SYMBOL_size;
# TARGET is rebuilt when FILE changes.
set(LMZIP_EMBED_TEMPLATE ${CMAKE_CURRENT_LIST_DIR}/embedded.S.in)

function(lmzip_embed target symbol file)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.S)
  configure_file(${LMZIP_EMBED_TEMPLATE} ${source} @ONLY)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS ${file})
  target_sources(${target} PRIVATE ${source})
endfunction()
