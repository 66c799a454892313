# What is installed, and the Debian packages made of it: `cmake --install build`, `cpack -G DEB`.
# Components: lmzip (program, manual, completions), lib (shared library), dev (headers, libraries).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Everything as one static library; the program links the layers themselves and needs neither this
# nor the shared one.
get_property(layers GLOBAL PROPERTY LMZIP_LAYERS)
list(REMOVE_ITEM layers vocab_trainer)
list(TRANSFORM layers REPLACE "(.+)" "$<TARGET_OBJECTS:lmzip_\\1>" OUTPUT_VARIABLE objects)
add_library(lmzip_static STATIC ${objects})
set_target_properties(lmzip_static PROPERTIES OUTPUT_NAME lmzip LINKER_LANGUAGE CXX)
target_link_libraries(lmzip_static INTERFACE
  $<INSTALL_INTERFACE:PkgConfig::LMZIP_DEPENDENCIES> $<INSTALL_INTERFACE:TBB::tbb>)
target_compile_features(lmzip_static INTERFACE cxx_std_20)

set(docs ${CMAKE_INSTALL_DOCDIR})
set(cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/lmzip)
set(share ${CMAKE_INSTALL_DATADIR})

install(TARGETS lmzip RUNTIME COMPONENT lmzip)
install(FILES ${CMAKE_BINARY_DIR}/app/lmzip/unlmzip ${CMAKE_BINARY_DIR}/app/lmzip/lmzcat
        TYPE BIN COMPONENT lmzip)
file(GLOB pages_1 CONFIGURE_DEPENDS man/*.1)
list(FILTER pages_1 EXCLUDE REGEX lmzip-train)
file(GLOB pages_5 CONFIGURE_DEPENDS man/*.5)
install(FILES ${pages_1} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT lmzip)
install(FILES ${pages_5} DESTINATION ${CMAKE_INSTALL_MANDIR}/man5 COMPONENT lmzip)
install(FILES README.md CHANGELOG.md DESTINATION ${docs} COMPONENT lmzip)
install(FILES LICENSE DESTINATION ${docs} RENAME copyright COMPONENT lmzip)
install(FILES app/completions/lmzip.bash RENAME lmzip COMPONENT lmzip
        DESTINATION ${share}/bash-completion/completions)
install(FILES app/completions/_lmzip COMPONENT lmzip
        DESTINATION ${share}/zsh/vendor-completions)
install(FILES app/completions/lmzip.fish COMPONENT lmzip
        DESTINATION ${share}/fish/vendor_completions.d)
if(LMZIP_WITH_TRAIN)
  install(TARGETS lmzip-train RUNTIME COMPONENT train)
  install(FILES man/lmzip-train.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT train)
  install(FILES app/completions/lmzip-train.bash RENAME lmzip-train COMPONENT train
          DESTINATION ${share}/bash-completion/completions)
  install(FILES app/completions/_lmzip-train COMPONENT train
          DESTINATION ${share}/zsh/vendor-completions)
  install(FILES app/completions/lmzip-train.fish COMPONENT train
          DESTINATION ${share}/fish/vendor_completions.d)
endif()

# lmzip::lmzip is the shared library, lmzip::static the other.
set_target_properties(lmzip_shared PROPERTIES EXPORT_NAME lmzip)
set_target_properties(lmzip_static PROPERTIES EXPORT_NAME static)
install(TARGETS lmzip_shared lmzip_static EXPORT lmzipTargets
        LIBRARY COMPONENT lib NAMELINK_COMPONENT dev ARCHIVE COMPONENT dev
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY lib/include/lmzip TYPE INCLUDE COMPONENT dev)
install(EXPORT lmzipTargets NAMESPACE lmzip:: DESTINATION ${cmake_folder} COMPONENT dev)
configure_package_config_file(packaging/lmzipConfig.cmake.in lmzipConfig.cmake
                              INSTALL_DESTINATION ${cmake_folder})
write_basic_package_version_file(lmzipConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/lmzipConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/lmzipConfigVersion.cmake
        DESTINATION ${cmake_folder} COMPONENT dev)
file(RELATIVE_PATH LMZIP_PREFIX_FROM_PC /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
configure_file(packaging/lmzip.pc.in lmzip.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/lmzip.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
install(DIRECTORY examples/ DESTINATION ${docs}/examples COMPONENT dev)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lmzip)
set(CPACK_PACKAGE_CONTACT "The lmzip developers <lmzip@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_FILE ${CMAKE_SOURCE_DIR}/packaging/description.txt)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL lmzip lib dev)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_LMZIP_PACKAGE_NAME lmzip)
set(CPACK_DEBIAN_LMZIP_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_LMZIP_PACKAGE_SHLIBDEPS ON)
set(soname ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_DEBIAN_LIB_PACKAGE_NAME liblmzip${soname})
set(CPACK_DEBIAN_LIB_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIB_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME liblmzip-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    "liblmzip${soname} (= ${PROJECT_VERSION}), libboost-dev, libdivsufsort-dev, libtbb-dev, libxxhash-dev, libzstd-dev, nettle-dev")
include(CPack)
