// The recipe of LMC (arXiv 2505.09810) as far as it is published, to measure against: bytes of
// numbers are grouped by their place, runs are coded, then Huffman codes per 64 KiB; against an
// earlier checkpoint of the same layout the exclusive or of both.
//
//   lmzip-lmc-recipe c [BASE] <FILE >PACKED
//   lmzip-lmc-recipe d [BASE] <PACKED >FILE
//
// FILE and BASE are files of tensors that lmzip knows; other files count as bytes.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <queue>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/endian.h"
#include "formats/tensors/detect.h"

namespace {

using bytes = std::vector<std::uint8_t>;

constexpr std::size_t block_bytes = std::size_t{64} << 10;
constexpr unsigned longest_code = 12;
constexpr unsigned shortest_run = 4;

/// Four equal bytes are followed by how many more of them there are, up to 255.
bytes with_runs_coded(std::span<const std::uint8_t> plain) {
  bytes coded;
  for (std::size_t i = 0; i < plain.size();) {
    std::size_t end = i + 1;
    while (end < plain.size() && plain[end] == plain[i] && end - i < shortest_run + 255) ++end;
    const std::size_t run = end - i;
    coded.insert(coded.end(), std::min<std::size_t>(run, shortest_run), plain[i]);
    if (run >= shortest_run) coded.push_back(static_cast<std::uint8_t>(run - shortest_run));
    i = end;
  }
  return coded;
}

void decode_runs(const bytes& coded, std::span<std::uint8_t> plain) {
  std::size_t at = 0;
  unsigned equal = 0;
  for (std::size_t i = 0; i < coded.size(); ++i) {
    if (at == plain.size()) throw std::runtime_error("runs are too long");
    equal = equal > 0 && plain[at - 1] == coded[i] ? equal + 1 : 1;
    plain[at++] = coded[i];
    if (equal < shortest_run || ++i == coded.size()) continue;
    if (coded[i] > plain.size() - at) throw std::runtime_error("runs are too long");
    std::fill_n(plain.begin() + static_cast<std::ptrdiff_t>(at), coded[i], plain[at - 1]);
    at += coded[i];
    equal = 0;
  }
  if (at != plain.size()) throw std::runtime_error("runs are too short");
}

using code_lengths = std::array<std::uint8_t, 256>;

/// Lengths of Huffman codes; counts are halved until none is too long.
code_lengths lengths_for(std::array<std::uint64_t, 256> counts) {
  for (;;) {
    struct tree {
      std::uint64_t count;
      std::vector<int> symbols;
      bool operator<(const tree& other) const { return count > other.count; }
    };
    std::priority_queue<tree> trees;
    code_lengths lengths{};
    for (int i = 0; i < 256; ++i)
      if (counts[std::size_t(i)] > 0) trees.push({counts[std::size_t(i)], {i}});
    if (trees.size() == 1) lengths[std::size_t(trees.top().symbols[0])] = 1;
    while (trees.size() > 1) {
      tree joined = trees.top();
      trees.pop();
      joined.count += trees.top().count;
      joined.symbols.insert(joined.symbols.end(), trees.top().symbols.begin(),
                            trees.top().symbols.end());
      trees.pop();
      for (const int symbol : joined.symbols) ++lengths[std::size_t(symbol)];
      trees.push(std::move(joined));
    }
    if (*std::max_element(lengths.begin(), lengths.end()) <= longest_code) return lengths;
    for (std::uint64_t& count : counts) count = (count + 1) / 2;
  }
}

/// Canonical codes, the first bit lowest.
std::array<std::uint16_t, 256> codes_of(const code_lengths& lengths) {
  std::array<std::uint16_t, 256> codes{};
  unsigned next = 0;
  for (unsigned length = 1; length <= longest_code; ++length) {
    for (std::size_t i = 0; i < 256; ++i) {
      if (lengths[i] != length) continue;
      unsigned code = next++, turned = 0;
      for (unsigned bit = 0; bit < length; ++bit) turned |= (code >> bit & 1) << (length - 1 - bit);
      codes[i] = static_cast<std::uint16_t>(turned);
    }
    next <<= 1;
  }
  return codes;
}

/// 128 bytes of lengths, then the codes.
bytes with_huffman(const bytes& symbols) {
  std::array<std::uint64_t, 256> counts{};
  for (const std::uint8_t s : symbols) ++counts[s];
  const code_lengths lengths = lengths_for(counts);
  const auto codes = codes_of(lengths);
  bytes coded;
  for (std::size_t i = 0; i < 256; i += 2)
    coded.push_back(static_cast<std::uint8_t>(lengths[i] | lengths[i + 1] << 4));
  std::uint64_t bits = 0;
  unsigned have = 0;
  for (const std::uint8_t s : symbols) {
    bits |= std::uint64_t{codes[s]} << have;
    for (have += lengths[s]; have >= 8; have -= 8, bits >>= 8)
      coded.push_back(static_cast<std::uint8_t>(bits));
  }
  if (have > 0) coded.push_back(static_cast<std::uint8_t>(bits));
  return coded;
}

bytes without_huffman(std::span<const std::uint8_t> coded, std::size_t count) {
  if (coded.size() < 128) throw std::runtime_error("no table of codes");
  code_lengths lengths;
  for (std::size_t i = 0; i < 256; ++i) lengths[i] = coded[i / 2] >> (i % 2 * 4) & 15;
  const auto codes = codes_of(lengths);
  std::array<std::pair<std::uint8_t, std::uint8_t>, 1 << longest_code> table{};
  for (std::size_t i = 0; i < 256; ++i)
    if (lengths[i] > 0 && lengths[i] <= longest_code)
      for (std::size_t at = codes[i]; at < table.size(); at += std::size_t{1} << lengths[i])
        table[at] = {static_cast<std::uint8_t>(i), lengths[i]};
  coded = coded.subspan(128);
  bytes symbols(count);
  std::uint64_t bits = 0;
  unsigned have = 0;
  for (std::uint8_t& s : symbols) {
    while (have < longest_code && !coded.empty()) {
      bits |= std::uint64_t{coded[0]} << have;
      coded = coded.subspan(1);
      have += 8;
    }
    const auto [symbol, length] = table[bits & (table.size() - 1)];
    if (length == 0 || length > have) throw std::runtime_error("no such code");
    s = symbol;
    bits >>= length;
    have -= length;
  }
  return symbols;
}

void put_u32(bytes& out, std::size_t number) {
  for (int i = 0; i < 4; ++i) out.push_back(static_cast<std::uint8_t>(number >> 8 * i));
}

/// One block: bytes after runs were coded (0: stored), bytes that follow.
void pack_block(std::span<const std::uint8_t> plain, bytes& out) {
  const bytes runs = with_runs_coded(plain);
  const bytes coded = with_huffman(runs);
  const bool stored = coded.size() >= plain.size();
  put_u32(out, stored ? 0 : runs.size());
  put_u32(out, stored ? plain.size() : coded.size());
  if (stored)
    out.insert(out.end(), plain.begin(), plain.end());
  else
    out.insert(out.end(), coded.begin(), coded.end());
}

class unpacker {
 public:
  explicit unpacker(std::span<const std::uint8_t> in) : in_(in) {}

  std::size_t u32() {
    const auto part = take(4);
    return lmzip::load_le<std::uint32_t>(reinterpret_cast<const std::byte*>(part.data()));
  }

  std::span<const std::uint8_t> take(std::size_t count) {
    if (count > in_.size()) throw std::runtime_error("ends too early");
    const auto part = in_.first(count);
    in_ = in_.subspan(count);
    return part;
  }

  void block(std::span<std::uint8_t> plain) {
    const std::size_t symbols = u32();
    const auto coded = take(u32());
    if (symbols > 2 * block_bytes) throw std::runtime_error("a block is too long");
    if (symbols > 0)
      decode_runs(without_huffman(coded, symbols), plain);
    else if (coded.size() == plain.size())
      std::copy(coded.begin(), coded.end(), plain.begin());
    else
      throw std::runtime_error("a block of another size");
  }

 private:
  std::span<const std::uint8_t> in_;
};

struct stretch {
  std::size_t bytes, width;
};

std::vector<stretch> stretches_of(std::span<const std::uint8_t> file) {
  const auto layout = lmzip::tensors::read_layout(lmzip::tensors::input_of(std::as_bytes(file)));
  std::vector<stretch> all;
  for (const auto& r : lmzip::tensors::ranges_of(layout)) {
    std::size_t width = 1;
    if (r.tensor != lmzip::tensors::no_tensor)
      width = std::max(1U, lmzip::bits_of(layout.tensors[r.tensor].type) / 8);
    if (r.bytes % width != 0) width = 1;
    all.push_back({static_cast<std::size_t>(r.bytes), width});
  }
  return all;
}

bytes exclusive_or(bytes file, const bytes& base) {
  for (std::size_t i = 0; i < std::min(file.size(), base.size()); ++i) file[i] ^= base[i];
  return file;
}

bytes pack(const bytes& file, const bytes& base) {
  const auto stretches = stretches_of(file);
  const bytes mixed = exclusive_or(file, base);
  bytes out;
  put_u32(out, stretches.size());
  for (const stretch& s : stretches) {
    put_u32(out, s.bytes);
    out.push_back(static_cast<std::uint8_t>(s.width));
  }
  const std::uint8_t* at = mixed.data();
  for (const stretch& s : stretches) {
    const std::size_t count = s.bytes / s.width;
    bytes plane(count);
    for (std::size_t k = 0; k < s.width; ++k) {
      for (std::size_t i = 0; i < count; ++i) plane[i] = at[i * s.width + k];
      for (std::size_t i = 0; i < count; i += block_bytes)
        pack_block(std::span(plane).subspan(i, std::min(block_bytes, count - i)), out);
    }
    at += s.bytes;
  }
  return out;
}

bytes unpack(const bytes& packed, const bytes& base) {
  unpacker in(packed);
  std::vector<stretch> stretches(std::min<std::size_t>(in.u32(), packed.size()));
  for (stretch& s : stretches) {
    s.bytes = in.u32();
    s.width = std::max<std::size_t>(in.take(1)[0], 1);
  }
  bytes out;
  for (const stretch& s : stretches) {
    const std::size_t begin = out.size(), count = s.bytes / s.width;
    out.resize(begin + s.bytes);
    bytes plane(count);
    for (std::size_t k = 0; k < s.width; ++k) {
      for (std::size_t i = 0; i < count; i += block_bytes)
        in.block(std::span(plane).subspan(i, std::min(block_bytes, count - i)));
      for (std::size_t i = 0; i < count; ++i) out[begin + i * s.width + k] = plane[i];
    }
  }
  return exclusive_or(std::move(out), base);
}

bytes read_all(std::FILE* in) {
  bytes all;
  std::array<std::uint8_t, 1 << 16> piece;
  while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), in))
    all.insert(all.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(count));
  return all;
}

bytes read_file(const char* name) {
  std::FILE* file = std::fopen(name, "rb");
  if (file == nullptr) throw std::runtime_error(std::string("cannot open ") + name);
  bytes all = read_all(file);
  std::fclose(file);
  return all;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what != "c" && what != "d") {
    std::fputs("lmzip-lmc-recipe c|d [BASE] <FILE >RESULT\n", stderr);
    return 1;
  }
  const bytes base = argc > 2 ? read_file(argv[2]) : bytes();
  const bytes in = read_all(stdin);
  const bytes out = what == "c" ? pack(in, base) : unpack(in, base);
  if (std::fwrite(out.data(), 1, out.size(), stdout) != out.size() || std::fflush(stdout) != 0)
    throw std::runtime_error("cannot write");
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "lmzip-lmc-recipe: %s\n", e.what());
  return 1;
}
