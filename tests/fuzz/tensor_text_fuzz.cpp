// What stands inside files of tensors: JSON, indexes of shards, the literals of npy and pickles.
// The first byte chooses which of them the rest is.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "formats/tensors/json_reader.h"
#include "formats/tensors/npy_descr.h"
#include "formats/tensors/pickle_scan.h"
#include "formats/tensors/shard_index.h"
#include "lmzip/error.h"

namespace {

using namespace lmzip::tensors;

void check(bool condition) {
  if (!condition) std::abort();
}

void read_json(std::string_view text) {
  try {
    json_reader reader(text);
    reader.skip_value();
    reader.finish();
  } catch (const lmzip::error& e) {
    check(e.offset() <= text.size());
  }
  // A string of valid UTF-8 stays valid without its escapes.
  try {
    std::string out;
    json_reader(text).read_string(out);
    check(!is_utf8(text) || is_utf8(out));
  } catch (const lmzip::error&) {
  }
}

void read_index(std::string_view text) {
  const auto index = read_shard_index(std::as_bytes(std::span(text.data(), text.size())));
  if (!index) return;
  for (const auto& entry : index->entries) check(entry.file < index->files.size());
  for (const auto& file : index->files) check(file.find('/') == file.npos && !file.empty());
}

void read_literal(std::string_view text) {
  try {
    check(read_npy_literal(text).record_bytes > 0);
  } catch (const lmzip::error&) {
  }
}

void read_pickle(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  for (const auto& storage : scan_pickle(bytes)) check(storage.name.size() <= 1024);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 4) {
    case 0:
      read_json(text);
      break;
    case 1:
      read_index(text);
      break;
    case 2:
      read_literal(text);
      break;
    default:
      read_pickle(text);
  }
  return 0;
}
