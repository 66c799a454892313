#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lmzip/decompress.h"
#include "lmzip/stream.h"

#pragma GCC visibility push(default)

namespace lmzip {

/// A program that makes a tensor, or a piece of one.
struct tensor_program {
  std::uint64_t plain_offset = 0;  ///< of the tensor's bytes, within the member
  std::uint64_t bytes = 0;
  std::string type;  ///< such as "bf16,[64,128]"
  std::string text;  ///< the program in one line
};

/// One block as its header describes it.
struct block_description {
  std::uint64_t offset = 0;        ///< of the block header in the archive
  std::uint64_t plain_offset = 0;  ///< within the member
  std::uint64_t plain_bytes = 0;
  std::uint64_t coded_bytes = 0;         ///< payload only
  bool refers = false;                   ///< some of its bytes are repeats of earlier ones
  std::string codec;                     ///< e.g. "text 1"; of the other bytes
  std::string parameters;                ///< codec parameters in words
  std::string reason;                    ///< why this codec was chosen, in words
  std::vector<tensor_program> programs;  ///< of its tensors, if they were asked for
};

struct member_description {
  std::uint64_t offset = 0;
  std::uint64_t plain_bytes = 0;
  std::uint64_t coded_bytes = 0;       ///< of the whole member, header to trailer
  std::uint64_t block_bytes = 0;       ///< largest plain size of a block
  std::uint64_t memory_per_block = 0;  ///< what decoding needs, block and window included
  std::uint64_t window = 0;            ///< plain bytes before a block that it may refer to
  unsigned format_version = 0;
  bool strong = false;
  std::string model;  ///< id of the model that blocks may need, hexadecimal; empty: none
  std::uint64_t model_bytes = 0;  ///< of that model if the archive brings it along, else 0
  unsigned base_depth = 0;  ///< archives in the chain that decoding may need, this one included
  std::string codec_data;   ///< codec-data id, hexadecimal; empty if none is needed
  std::string name;         ///< as stored; may be empty; bytes
  std::vector<block_description> blocks;
};

struct inspect_options {
  bool programs = false;  ///< read the payloads that hold programs of tensors
};

/// Describes an archive from its headers; payloads are skipped over but not decoded. Reads `in`
/// to the end. Throws as decompress() does for what it reads.
std::vector<member_description> inspect(source& in, const inspect_options& options = {});

/// What repair() did.
struct repair_report {
  totals written;
  std::vector<damage> lost;
};

/// Copies every intact block of the damaged archive `in`, in order, into a new valid archive on
/// `out`. Payloads are decoded and checked, not coded again. Nothing is invented: lost bytes are
/// left out and reported. Throws error: io, not_lmzip (no intact block), unsupported, canceled.
repair_report repair(source& in, sink& out, const decompress_options& options = {});

}  // namespace lmzip

#pragma GCC visibility pop
