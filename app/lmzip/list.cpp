#include <fmt/format.h>

#include <set>

#include "app/lmzip/json.h"
#include "app/lmzip/names.h"
#include "app/lmzip/operations.h"
#include "app/lmzip/sizes.h"
#include "app/lmzip/suffix.h"
#include "lmzip/inspect.h"

namespace lmzip::app {
namespace {

/// One line of the list: an archive, or all of them.
struct summary {
  std::uint64_t members = 0;
  std::uint64_t blocks = 0;
  std::uint64_t coded_bytes = 0;
  std::uint64_t plain_bytes = 0;
  std::uint64_t memory_per_block = 0;
  bool strong = true;
  std::set<std::string> methods;
  std::set<std::string> codec_data;
  std::set<std::string> stored_names;

  void add(const member_description& member) {
    ++members;
    blocks += member.blocks.size();
    coded_bytes += member.coded_bytes;
    plain_bytes += member.plain_bytes;
    memory_per_block = std::max(memory_per_block, member.memory_per_block);
    strong = strong && member.strong;
    for (const block_description& block : member.blocks) methods.insert(block.codec);
    if (!member.codec_data.empty()) codec_data.insert(member.codec_data);
    if (!member.name.empty()) stored_names.insert(member.name);
  }

  void add(const summary& other) {
    members += other.members;
    blocks += other.blocks;
    coded_bytes += other.coded_bytes;
    plain_bytes += other.plain_bytes;
    strong = strong && other.strong;
    methods.insert(other.methods.begin(), other.methods.end());
  }

  /// The checksums that every block has.
  const char* check() const { return strong && members > 0 ? "XXH3+SHA-256" : "XXH3"; }
};

std::string joined(const std::set<std::string>& words) {
  return words.empty() ? "-" : fmt::format("{}", fmt::join(words, "+"));
}

constexpr const char* line_format = "{:>7}  {:>7}  {:>14}  {:>14}  {:>8}  {:<12}  {:<12}  {}\n";

std::string heading() {
  return fmt::format(line_format, "Members", "Blocks", "Compressed", "Uncompressed", "Ratio",
                     "Check", "Method", "Name");
}

std::string line_of(const summary& sum, const std::string& name) {
  return fmt::format(line_format, sum.members, sum.blocks, sum.coded_bytes, sum.plain_bytes,
                     percentage(sum.coded_bytes, sum.plain_bytes), sum.check(), joined(sum.methods),
                     printable(name));
}

std::string details_of(const summary& sum) {
  std::string text;
  for (const std::string& id : sum.codec_data) text += fmt::format("  codec data: {}\n", id);
  for (const std::string& name : sum.stored_names) {
    text += fmt::format("  stored name: {}\n", printable(name));
  }
  text += fmt::format("  memory to decode one block: {}\n", human_size(sum.memory_per_block));
  return text;
}

std::string json_of(const summary& sum, const std::string& name) {
  json object;
  add_name(object, "name", name);
  object["members"] = sum.members;
  object["blocks"] = sum.blocks;
  object["compressed_bytes"] = sum.coded_bytes;
  object["plain_bytes"] = sum.plain_bytes;
  object["ratio"] =
      sum.plain_bytes == 0
          ? json(nullptr)
          : json(static_cast<double>(sum.coded_bytes) / static_cast<double>(sum.plain_bytes));
  object["check"] = sum.check();
  object["methods"] = sum.methods;
  object["codec_data"] = sum.codec_data;
  object["memory_per_block"] = sum.memory_per_block;
  json names = json::array();
  for (const std::string& stored : sum.stored_names) {
    json one;
    add_name(one, "name", stored);
    names.push_back(one);
  }
  object["stored_names"] = names;
  return to_line(object);
}

class lister {
 public:
  explicit lister(session& on) : on_(on), json_(on.run.message.json) {}

  void run(const std::string& path, bool found) {
    if (found && !has_archive_suffix(path, on_.run.output.suffix)) return;
    auto in = open_archive(path, on_.run.output.force, on_.out);
    if (!in) return;
    io::file_source from(in->handle);
    summary sum;
    for (const member_description& member : inspect(from)) sum.add(member);
    if (json_) {
      on_.to_stdout.write(json_of(sum, in->name));
      return;
    }
    if (files_++ == 0) on_.to_stdout.write(heading());
    on_.to_stdout.write(line_of(sum, in->name));
    if (on_.out.verbosity() > 0) on_.to_stdout.write(details_of(sum));
    all_.add(sum);
  }

  void finish() {
    if (files_ > 1) on_.to_stdout.write(line_of(all_, fmt::format("({} files)", files_)));
  }

 private:
  session& on_;
  bool json_;
  std::uint64_t files_ = 0;
  summary all_;
};

}  // namespace

void list_files(session& on) {
  lister work(on);
  for_each_file(on.run.files, on.run.input.recursive, on.out,
                [&](const std::string& path, bool found) { work.run(path, found); });
  work.finish();
}

}  // namespace lmzip::app
