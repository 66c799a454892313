#pragma once

// The functions of token_coder for one set of kernels. Included once by each of the files that are
// compiled for an instruction set.

#include "codec/tokens/token_coder_parts.h"
#include "codec/tokens/token_model.h"

namespace lmzip::codec::tokens {

/// Codes a known token.
class token_writer {
 public:
  static constexpr bool knows_token = true;

  token_writer(const model::step_tree& tree, rans_encoder& coder) : tree_(tree), coder_(coder) {}

  void set(std::uint32_t leaf) noexcept {
    leaf_ = leaf;
    path_ = tree_.path(leaf);
  }
  std::uint32_t token() const noexcept { return leaf_; }
  std::uint32_t step(unsigned depth) const noexcept { return path_[depth]; }
  bool code_flag(std::uint32_t leaf, std::uint32_t chance) noexcept {
    return coder_.code(leaf == leaf_, chance);
  }
  template <class Mixture>
  std::uint32_t code_step(const Mixture& mixture, unsigned depth) noexcept {
    const std::uint32_t step = path_[depth];
    coder_.put(mixture.start(step), mixture.frequency(step));
    return step;
  }

 private:
  const model::step_tree& tree_;
  rans_encoder& coder_;
  std::uint32_t leaf_ = 0;
  const std::uint8_t* path_ = nullptr;
};

/// Finds out a token.
class token_reader {
 public:
  static constexpr bool knows_token = false;

  explicit token_reader(std::span<const std::byte> coded) : coder_(coded) {}

  bool code_flag(std::uint32_t, std::uint32_t chance) noexcept { return coder_.code(chance); }
  template <class Mixture>
  std::uint32_t code_step(const Mixture& mixture, unsigned) noexcept {
    const std::uint32_t step = mixture.find(coder_.place());
    coder_.advance(mixture.start(step), mixture.frequency(step));
    return step;
  }
  void next_chunk() noexcept { coder_.next_chunk(); }
  bool exhausted() const noexcept { return coder_.exhausted(); }

 private:
  rans_decoder coder_;
};

template <class Kernels>
struct coder_functions {
  /// A model with its memory.
  struct session {
    session(const token_setup& setup, const std::uint16_t* history)
        : plan(setup), memory(plan.bytes), model(setup, plan, memory.data(), history) {}

    table_plan plan;
    io::zeroed_memory memory;
    token_model<Kernels> model;
  };

  static std::vector<std::byte> encode(const token_setup& setup,
                                       std::span<const std::uint16_t> leaves) {
    session s(setup, leaves.data());
    return run_encoder(s, setup, leaves);
  }

  static std::size_t train(const token_setup& setup, std::span<const std::uint16_t> leaves,
                           std::span<std::byte> learned) {
    session s(setup, leaves.data());
    const std::size_t size = run_encoder(s, setup, leaves).size();
    std::memcpy(learned.data(), s.memory.data() + s.plan.values, learned.size());
    return size;
  }

  static void decode(const token_setup& setup, std::span<const std::byte> coded,
                     std::span<std::byte> plain) {
    io::zeroed_memory history_memory(plain.size() * sizeof(std::uint16_t));
    auto* const history = reinterpret_cast<std::uint16_t*>(history_memory.data());
    session s(setup, history);
    token_reader reader(coded);
    std::size_t count = 0;
    for (std::size_t done = 0; done < plain.size();) {
      if (count > 0) reader.next_chunk();
      const std::size_t chunk =
          decode_chunk(s, *setup.data, reader, history + count, plain.size() - done);
      done += setup.data->write_text({history + count, chunk}, plain.subspan(done));
      count += chunk;
    }
    if (!reader.exhausted()) throw error(errc::damaged, "the code of the tokens ends elsewhere");
  }

  static constexpr token_coder table{encode, decode, train};

 private:
  static std::vector<std::byte> run_encoder(session& s, const token_setup& setup,
                                            std::span<const std::uint16_t> leaves) {
    rans_encoder coder(max_symbols(*setup.data, leaves.size()));
    token_writer writer(setup.data->tree(), coder);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (i > 0 && i % chunk_tokens == 0) coder.flush();
      writer.set(leaves[i]);
      s.model.code(writer);
    }
    coder.flush();
    return coder.take();
  }

  /// Decodes tokens of at least `bytes` bytes, or a chunk of them, and returns their number.
  static std::size_t decode_chunk(session& s, const tokens_data& data, token_reader& reader,
                                  std::uint16_t* history, std::size_t bytes) {
    std::size_t count = 0;
    for (std::size_t done = 0; done < bytes && count < chunk_tokens; ++count) {
      const std::uint32_t leaf = s.model.code(reader);
      history[count] = static_cast<std::uint16_t>(leaf);
      done += data.length(leaf);
    }
    return count;
  }
};

}  // namespace lmzip::codec::tokens
