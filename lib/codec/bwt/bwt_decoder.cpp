#include <algorithm>
#include <cstring>
#include <memory>

#include "codec/bwt/bwt_block.h"
#include "codec/bwt/bwt_codec.h"
#include "codec/bwt/run_coder.h"
#include "codec/bwt/transform.h"
#include "codec/parameter_file.h"
#include "core/cursor.h"
#include "core/io/memory.h"
#include "core/io/zeroed_memory.h"
#include "lmzip/error.h"

namespace lmzip::codec {
namespace bwt {
namespace {

std::uint32_t read_place(cursor& in, std::size_t block_bytes) {
  const std::uint32_t low = in.u16();
  const std::uint32_t place = low | std::uint32_t{in.u8()} << 16;
  if (place >= block_bytes) throw error(errc::damaged, "a place lies behind its block");
  return place;
}

std::uint64_t memory(std::uint32_t parameters, std::uint64_t plain_bytes, const shared_model*) {
  if (parameters != 0 || plain_bytes > max_block_bytes)
    throw error(errc::damaged, "a block that no encoder of this codec writes");
  return decoding_memory(plain_bytes);
}

void decode(std::uint32_t parameters, std::span<const std::byte> coded, std::span<std::byte> plain,
            const decoding_context&) {
  memory(parameters, plain.size(), nullptr);
  decode_block(coded, shipped_run_tables(), plain);
}

std::string describe(std::uint32_t) { return {}; }

}  // namespace

std::uint64_t decoding_memory(std::uint64_t plain_bytes) noexcept {
  return std::max<std::uint64_t>(sizeof(run_tables), plain_bytes * sizeof(std::uint32_t));
}

void decode_block(std::span<const std::byte> coded, const run_tables& start,
                  std::span<std::byte> plain) {
  if (plain.empty()) {
    if (!coded.empty()) throw error(errc::damaged, "coded bytes of an empty block");
    return;
  }
  const std::size_t segments = segmentation::of(plain.size()).count;
  if (coded.size() < 3 * segments) throw error(errc::damaged, "a block ends too early");
  cursor in(coded);
  entry_places places;
  places.whole = read_place(in, plain.size());
  for (std::size_t s = 0; s + 1 < segments; ++s) places.after[s] = read_place(in, plain.size());

  const std::span<std::uint8_t> bytes(reinterpret_cast<std::uint8_t*>(plain.data()), plain.size());
  {
    const io::zeroed_memory memory(sizeof(run_tables));
    auto* const tables = reinterpret_cast<run_tables*>(memory.data());
    std::memcpy(tables, &start, sizeof start);
    active_run_coder().decode(in.bytes(in.remaining()), *tables, bytes);
  }
  const io::zeroed_memory links(plain.size() * sizeof(std::uint32_t));
  inverse_transform(places, {reinterpret_cast<std::uint32_t*>(links.data()), plain.size()}, bytes);
}

const run_tables& shipped_run_tables() {
  static const std::unique_ptr<const io::zeroed_memory> memory = [] {
    auto tables = std::make_unique<io::zeroed_memory>(sizeof(run_tables));
    const parameter_file& file = shipped_parameters();
    const std::size_t size = file.size_of(start_section);
    const io::zeroed_memory unpacked(std::max(size, io::huge_page));
    const std::span values(reinterpret_cast<std::uint8_t*>(unpacked.data()), size);
    file.unpack(start_section, values);
    restore(values, *reinterpret_cast<run_tables*>(tables->data()));
    return tables;
  }();
  return *reinterpret_cast<const run_tables*>(memory->data());
}

}  // namespace bwt

const decoder bwt_decoder_v0 = {codec_id::bwt, 0, "bwt", bwt::memory, bwt::decode, bwt::describe,
                                needs_no_model};

}  // namespace lmzip::codec
