#include "formats/tensors/shard_index.h"

#include <string_view>
#include <unordered_map>
#include <utility>

#include "formats/tensors/json_reader.h"
#include "lmzip/error.h"

namespace lmzip::tensors {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

bool is_plain_file_name(std::string_view name) noexcept {
  return !name.empty() && name != "." && name != ".." &&
         name.find_first_of(std::string_view("/\0", 2)) == name.npos;
}

class index_reader {
 public:
  explicit index_reader(std::string_view text) : json_(text) {}

  /// Nothing if the text is JSON but no index.
  std::optional<shard_index> read() {
    bool has_map = false;
    if (json_.next() != '{') return std::nullopt;
    json_.enter_object();
    while (json_.next_member(name_)) {
      if (name_ == "metadata" && json_.next() == '{') {
        read_metadata();
      } else if (name_ == "weight_map" && !has_map && json_.next() == '{') {
        has_map = true;
        if (!read_map()) return std::nullopt;
      } else {
        json_.skip_value();
      }
    }
    json_.finish();
    if (!has_map) return std::nullopt;
    return std::move(index_);
  }

 private:
  void read_metadata() {
    json_.enter_object();
    while (json_.next_member(name_)) {
      const char c = json_.next();
      if (name_ == "total_size" && c >= '0' && c <= '9') {
        read_total();
      } else {
        json_.skip_value();
      }
    }
  }

  /// Some writers give the size as a number with a fraction; then there is none.
  void read_total() {
    json_reader ahead = json_;
    json_.skip_value();
    try {
      index_.total_bytes = ahead.read_unsigned();
    } catch (const error&) {
      index_.total_bytes.reset();
    }
  }

  bool read_map() {
    std::string file;
    json_.enter_object();
    while (json_.next_member(name_)) {
      if (json_.next() != '"') return false;
      json_.read_string(file);
      if (!is_plain_file_name(file)) return false;
      const auto [found, is_new] = numbers_.try_emplace(file, index_.files.size());
      if (is_new) index_.files.push_back(file);
      index_.entries.push_back({.tensor = name_, .file = found->second});
    }
    return true;
  }

  json_reader json_;
  shard_index index_;
  std::string name_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

}  // namespace

std::optional<shard_index> read_shard_index(std::span<const std::byte> file) {
  std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  if (!is_utf8(text)) return std::nullopt;
  try {
    return index_reader(text).read();
  } catch (const error&) {
    return std::nullopt;
  }
}

}  // namespace lmzip::tensors
