#include "archive/tree/stat_cache.h"

#include "archive/tree/entry_format.h"

namespace lmzip::tree {
namespace {

/// How far apart two times of a file system can be that it stores as the same one, judged by what
/// it stores: FAT has steps of 2 s, others of 1 s or 10 ms. In nanoseconds.
std::int64_t step_of(const io::file_time& time) {
  constexpr std::int64_t ten_milliseconds = 10'000'000;
  if (time.nanoseconds == 0) return 2 * nanoseconds_per_second;
  return time.nanoseconds % ten_milliseconds == 0 ? ten_milliseconds : 1;
}

bool is_older(const io::file_time& time, const io::file_time& start) {
  io::file_time end = time;
  end.nanoseconds += step_of(time);
  end.seconds += end.nanoseconds / nanoseconds_per_second;
  end.nanoseconds %= nanoseconds_per_second;
  return end <= start;
}

}  // namespace

bool is_unchanged(const entry& previous, const entry& found, const io::file_time& previous_start) {
  return previous.kind == found.kind && previous.bytes == found.bytes &&
         previous.modified == found.modified && previous.stamp.changed == found.stamp.changed &&
         previous.stamp.inode == found.stamp.inode && is_older(found.modified, previous_start) &&
         is_older(found.stamp.changed, previous_start);
}

}  // namespace lmzip::tree
