#include <fmt/format.h>

#include <map>

#include "app/lmzip/json.h"
#include "app/lmzip/model_search.h"
#include "app/lmzip/names.h"
#include "app/lmzip/operations.h"
#include "app/lmzip/sizes.h"
#include "lmzip/error.h"
#include "lmzip/inspect.h"
#include "lmzip/tensors.h"

namespace lmzip::app {
namespace {

/// Names of tensors by where they begin; empty where the archive holds no checkpoint.
using tensor_names = std::map<std::uint64_t, std::string>;

struct seen_tensors {
  tensor_names names;
  std::string reason;  ///< why there are none; may be empty
};

/// Names only help: an archive that does not give them is described all the same.
seen_tensors tensors_in(const input& in) {
  seen_tensors seen;
  if (in.is_standard_input()) return seen;
  try {
    archive_reader_options options;
    options.find_model = find_models(nullptr);
    archive_reader archive(in.path, options);
    tensor_table table = find_tensors(archive);
    seen.reason = std::move(table.reason);
    for (tensor_description& t : table.tensors)
      if (t.bytes > 0) seen.names[t.offset] = std::move(t.name);
  } catch (const error&) {
  }
  return seen;
}

std::string name_at(const tensor_names& names, std::uint64_t offset) {
  const auto found = names.find(offset);
  return found == names.end() ? std::string() : found->second;
}

/// One line a tensor: its name, or where it begins, and its program.
std::string programs_text(const block_description& block, std::uint64_t member_plain,
                          const tensor_names& names) {
  std::string text;
  for (const tensor_program& program : block.programs) {
    const std::uint64_t offset = member_plain + program.plain_offset;
    const std::string name = name_at(names, offset);
    text += fmt::format("      {} = {}\n",
                        name.empty() ? fmt::format("@{}", offset) : printable(name), program.text);
  }
  return text;
}

json programs_json(const block_description& block, std::uint64_t member_plain,
                   const tensor_names& names) {
  json list = json::array();
  for (const tensor_program& program : block.programs) {
    const std::uint64_t offset = member_plain + program.plain_offset;
    json object = {{"offset", offset}, {"bytes", program.bytes}, {"type", program.type}};
    if (const std::string name = name_at(names, offset); !name.empty())
      add_name(object, "name", name);
    object["program"] = program.text;
    list.push_back(std::move(object));
  }
  return list;
}

std::string block_text(const block_description& block, std::size_t number, bool verbose) {
  std::string text =
      fmt::format("    block {}: {} -> {} bytes ({}), {}", number, block.plain_bytes,
                  block.coded_bytes, percentage(block.coded_bytes, block.plain_bytes), block.codec);
  if (!block.parameters.empty()) text += fmt::format(" [{}]", block.parameters);
  if (block.refers) text += " and repeats";
  text += fmt::format(": {}", block.reason);
  if (verbose) {
    text += fmt::format("; at offset {}, plain offset {}", block.offset, block.plain_offset);
  }
  return text + "\n";
}

std::string member_text(const member_description& member, std::size_t number, bool verbose,
                        std::uint64_t member_plain, const tensor_names& names) {
  std::string text = fmt::format(
      "  member {}: {} -> {} bytes ({}), {} {} of up to {}\n", number, member.plain_bytes,
      member.coded_bytes, percentage(member.coded_bytes, member.plain_bytes), member.blocks.size(),
      member.blocks.size() == 1 ? "block" : "blocks", human_size(member.block_bytes));
  if (!member.name.empty()) text += fmt::format("    stored name: {}\n", printable(member.name));
  if (!member.model.empty()) {
    text += fmt::format("    model: {}", member.model);
    text += member.model_bytes != 0
                ? fmt::format(" (in the archive, {} bytes)\n", member.model_bytes)
                : "\n";
  }
  if (member.base_depth > 0) {
    text += fmt::format("    needs a base (--base), in a chain of {} {}\n", member.base_depth,
                        member.base_depth == 1 ? "archive" : "archives");
  }
  if (verbose) {
    text += fmt::format("    offset {}, format version {}, checks: XXH3{}\n", member.offset,
                        member.format_version, member.strong ? " and SHA-256" : "");
    if (member.window != 0)
      text += fmt::format("    repeats from up to {} before a block\n", human_size(member.window));
    text +=
        fmt::format("    memory to decode one block: {}\n", human_size(member.memory_per_block));
    if (!member.codec_data.empty()) {
      text += fmt::format("    codec data: {}\n", member.codec_data);
    }
  }
  for (std::size_t i = 0; i < member.blocks.size(); ++i) {
    text += block_text(member.blocks[i], i + 1, verbose);
    text += programs_text(member.blocks[i], member_plain, names);
  }
  return text;
}

json block_json(const block_description& block) {
  return {{"offset", block.offset},
          {"plain_offset", block.plain_offset},
          {"plain_bytes", block.plain_bytes},
          {"coded_bytes", block.coded_bytes},
          {"refers", block.refers},
          {"codec", block.codec},
          {"parameters", block.parameters},
          {"reason", block.reason}};
}

json member_json(const member_description& member, std::uint64_t member_plain,
                 const tensor_names& names) {
  json object = {{"offset", member.offset},
                 {"plain_bytes", member.plain_bytes},
                 {"compressed_bytes", member.coded_bytes},
                 {"block_bytes", member.block_bytes},
                 {"memory_per_block", member.memory_per_block},
                 {"window", member.window},
                 {"format_version", member.format_version},
                 {"strong", member.strong},
                 {"codec_data", member.codec_data},
                 {"model", member.model},
                 {"model_bytes", member.model_bytes},
                 {"base_depth", member.base_depth}};
  add_name(object, "stored_name", member.name);
  json blocks = json::array();
  for (const block_description& block : member.blocks) {
    blocks.push_back(block_json(block));
    if (!block.programs.empty())
      blocks.back()["programs"] = programs_json(block, member_plain, names);
  }
  object["blocks"] = blocks;
  return object;
}

void describe_file(session& on, input& in) {
  io::file_source from(in.handle);
  const bool programs = on.run.message.programs;
  const auto members = inspect(from, {.programs = programs});
  const auto [names, reason] = programs ? tensors_in(in) : seen_tensors{};
  std::uint64_t plain = 0;
  if (on.run.message.json) {
    json object;
    add_name(object, "name", in.name);
    json list = json::array();
    for (const member_description& member : members) {
      list.push_back(member_json(member, plain, names));
      plain += member.plain_bytes;
    }
    object["members"] = list;
    if (programs) object["no_tensors"] = reason;
    on.to_stdout.write(to_line(object));
    return;
  }
  on.to_stdout.write(fmt::format("{}:\n", printable(in.name)));
  if (!reason.empty()) on.to_stdout.write(fmt::format("  no tensors: {}\n", printable(reason)));
  for (std::size_t i = 0; i < members.size(); ++i) {
    on.to_stdout.write(member_text(members[i], i + 1, on.out.verbosity() > 0, plain, names));
    plain += members[i].plain_bytes;
  }
}

}  // namespace

void describe_files(session& on) {
  for_each_file(on.run.files, on.run.input.recursive, on.out, [&](const std::string& path, bool) {
    auto in = open_archive(path, on.run.output.force, on.out);
    if (in) describe_file(on, *in);
  });
}

}  // namespace lmzip::app
