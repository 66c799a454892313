#pragma once

/// Marks a function whose loops are compiled for each width of vectors and chosen when the program
/// starts. Such functions work on floats: their results differ by rounding between processors.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define LMZIP_TRAIN_WIDE [[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#else
#define LMZIP_TRAIN_WIDE
#endif

/// Before a loop: its turns do not depend on each other, whatever its pointers look like.
#if defined(__clang__)
#define LMZIP_TRAIN_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define LMZIP_TRAIN_INDEPENDENT _Pragma("GCC ivdep")
#endif
