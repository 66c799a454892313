# Toolchain file for building the decoder for another processor with Debian's cross compilers and
# a folder of libraries made by tests/equality/sysroot.sh:
#   cmake -DCMAKE_TOOLCHAIN_FILE=cmake/cross.cmake -DLMZIP_CROSS_CPU=s390x
#         -DLMZIP_CROSS_LIBRARIES=FOLDER/root -DLMZIP_DECODER_ONLY=ON ...
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LMZIP_CROSS_CPU LMZIP_CROSS_LIBRARIES)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${LMZIP_CROSS_CPU})
set(triplet ${LMZIP_CROSS_CPU}-linux-gnu)
set(CMAKE_C_COMPILER ${triplet}-gcc)
set(CMAKE_CXX_COMPILER ${triplet}-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${LMZIP_CROSS_CPU})
# Static, so that the emulator needs no libraries of the other processor.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static")
set(CMAKE_FIND_ROOT_PATH ${LMZIP_CROSS_LIBRARIES})
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_LIBRARY_ARCHITECTURE ${triplet})
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${LMZIP_CROSS_LIBRARIES})
set(ENV{PKG_CONFIG_LIBDIR} ${LMZIP_CROSS_LIBRARIES}/usr/lib/${triplet}/pkgconfig)
include_directories(SYSTEM ${LMZIP_CROSS_LIBRARIES}/usr/include/${triplet})
add_link_options(-L${LMZIP_CROSS_LIBRARIES}/usr/lib/${triplet})
