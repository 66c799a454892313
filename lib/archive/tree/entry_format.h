#pragma once

// How an entry is stored. Numbers are varints (core/varint.h); a text is its size and its bytes.
//
//   bytes of what follows
//   version * 16 + kind      one byte
//   path                     text
//   hard link:               target (text); nothing more
//   flags                    see below
//   mode, user, group        numbers
//   user name, group name    texts
//   mtime                    seconds (zigzag), nanoseconds
//   links                    if flagged
//   attributes               if flagged: their number; names and values as texts
//   symbolic link:           target (text)
//   devices:                 major and minor number
//   file:                    its bytes
//                            if it has holes: number of data ranges; for each the bytes of the hole
//                            before it and its own
//                            content: for each extent its source, its offset less the end of the
//                            extent before it (zigzag; 0 before the first or another source), its
//                            bytes; as many as fill the data
//
// A stamp: ctime (seconds in zigzag, nanoseconds), inode, device.

#include <cstdint>

namespace lmzip::tree {

inline constexpr std::uint8_t entry_version = 0;

inline constexpr std::uint64_t flag_links = 1;
inline constexpr std::uint64_t flag_attributes = 2;
inline constexpr std::uint64_t flag_holes = 4;
inline constexpr std::uint64_t all_flags = 7;

inline constexpr std::uint32_t max_mode = 07777;
inline constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;
/// Largest size of a file and largest offset, so that sums cannot overflow.
inline constexpr std::uint64_t max_file_bytes = (std::uint64_t{1} << 63) - 1;

}  // namespace lmzip::tree
