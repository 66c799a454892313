// Zip archives of tensors, read from their front.

#include "formats/tensors/zip_walk.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "zip_support.h"

using namespace tensor_support;

namespace {

struct walked {
  std::vector<tensor> tensors;  // by offset in the file
  std::uint64_t bytes = 0;      // of members
  std::size_t layouts = 0;
  format_kind format = format_kind::none;
};

walked walk(std::string_view file, const read_limits& limits = {}) {
  zip_walk in(limits);
  walked all;
  while (const auto layout =
             in.next([&](std::size_t count) { return bytes_of(file.substr(0, count)); })) {
    REQUIRE(layout->bytes > 0);
    REQUIRE(fits_ranges(*layout));
    for (tensor t : layout->tensors) {
      t.offset += all.bytes;
      all.tensors.push_back(t);
    }
    all.bytes += layout->bytes;
    all.format = layout->format;
    ++all.layouts;
    if (layout->bytes >= file.size()) break;
    file.remove_prefix(static_cast<std::size_t>(layout->bytes));
  }
  return all;
}

/// The front of the file shows the tensors that its directory does.
void check_like_directory(const std::string& file) {
  const tensor_layout whole = layout_of(file);
  const walked front = walk(file);
  CHECK(front.format == whole.format);
  REQUIRE(front.tensors.size() == whole.tensors.size());
  for (std::size_t i = 0; i < whole.tensors.size(); ++i) {
    CAPTURE(i);
    CHECK(front.tensors[i].name == whole.tensors[i].name);
    CHECK(front.tensors[i].type == whole.tensors[i].type);
    CHECK(front.tensors[i].shape == whole.tensors[i].shape);
    CHECK(front.tensors[i].offset == whole.tensors[i].offset);
    CHECK(front.tensors[i].bytes == whole.tensors[i].bytes);
  }
}

}  // namespace

TEST_CASE("members of a zip archive of tensors are found from its front") {
  for (const bool is_64 : {false, true})
    for (const bool has_descriptor : {false, true}) {
      zip_file from = torch_file(example_pickle());
      from.is_64 = is_64;
      for (auto& m : from.members) {
        m.has_descriptor = has_descriptor;
        if (has_descriptor) m.flags = 8;
      }
      check_like_directory(from.file());
      from.members[1].data = "big";
      check_like_directory(from.file());
    }
  check_like_directory(npz_file().file());
}

TEST_CASE("members with 64-bit sizes in local headers are found") {
  std::string file = npz_file().file();
  const std::size_t bytes = npy(8).size();
  file.replace(18, 8, u32(~0U) + u32(~0U));
  file.replace(28, 2, u16(20));
  file.insert(30 + 5, u16(1) + u16(16) + u64(bytes) + u64(bytes));
  const walked front = walk(file);
  REQUIRE(front.tensors.size() == 2);
  CHECK(front.tensors[0].bytes == 8);
  CHECK(front.tensors[1].name == "b/c");
}

TEST_CASE("members larger than what is looked at end a layout") {
  zip_file from =
      torch_file("\x80\x02}(" + text("w") +
                 torch_tensor(storage("HalfStorage", "0", 40000), 0, {40000}, {1}) + "u.");
  from.members[2].data = std::string(80000, 'w');
  from.members[3].data = std::string(3 << 20, 'b');
  from.members.push_back({.name = "model/data/2", .data = std::string(100, 'c')});
  for (auto& m : from.members)
    m.has_descriptor = m.name != "model/data/1", m.flags = m.has_descriptor ? 8 : 0;
  const std::string file = from.file();
  check_like_directory(file);
  CHECK(walk(file).layouts == 2);
}

TEST_CASE("a walk ends where a size cannot be told") {
  zip_file from = torch_file(example_pickle());
  for (auto& m : from.members) m.has_descriptor = true, m.flags = 8;
  // Not known to the pickle, and longer than anything that is looked through.
  from.members[3].name = "model/data/9";
  from.members[3].data = std::string(5000, 'x');
  const walked all = walk(from.file());
  CHECK(all.tensors.size() == 2);
  const walked some = walk(from.file(), {.header_bytes = 8 * 1000});
  CHECK(some.tensors.size() == 1);
  CHECK(some.bytes < 1000);
  CHECK(walk("PK").layouts == 0);
  CHECK(walk("").layouts == 0);
}

TEST_CASE("a pickle that lies about sizes ends the walk, no more") {
  zip_file from = torch_file(example_pickle());
  from.members[2].data = std::string(10, 'w');
  for (auto& m : from.members) m.has_descriptor = true, m.flags = 8;
  const walked all = walk(from.file());
  CHECK(all.tensors.size() == 1);
}

TEST_CASE("mutated zip archives are walked through") {
  zip_file from = torch_file(example_pickle());
  for (auto& m : from.members) m.has_descriptor = true, m.flags = 8;
  const std::string torch = from.file();
  const std::string npz = npz_file().file();
  for (unsigned seed = 0; seed < 4000; ++seed) {
    walk(mutated(torch, torch.size(), seed));
    walk(mutated(npz, npz.size(), seed));
  }
}
