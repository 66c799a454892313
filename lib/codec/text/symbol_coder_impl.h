#pragma once

// The functions of symbol_coder for one strength and set of kernels. Included once by each of the
// files that are compiled for an instruction set.

#include "codec/text/symbol_coder_parts.h"
#include "model/predictor.h"
#include "model/strength.h"

namespace lmzip::codec::text {

/// Codes one symbol in either direction and returns it. The tree's depth bounds the loop.
template <class Predictor, class Coder>
std::uint32_t code_symbol(Predictor& predictor, Coder& coder) {
  const std::uint32_t guess = predictor.guess();
  if (guess != Predictor::no_guess) {
    const bool right = coder.code_guess(guess, predictor.guess_probability());
    predictor.learn_guess(right);
    if (right) return guess;
  }
  do {
    predictor.learn(coder.code_node(predictor.node(), predictor.probability()));
  } while ((predictor.node() & model::token_tree::leaf_mark) == 0);
  return predictor.node() & ~std::uint32_t{model::token_tree::leaf_mark};
}

template <class Strength, class Kernels>
struct coder_functions {
  using predictor = model::predictor<Strength, Kernels>;

  /// A predictor with its memory. An encoder knows the leaves that come.
  struct session {
    explicit session(const coding_setup& setup, std::span<const std::uint16_t> known = {})
        : layout(predictor::shape(setup.symbols->size())),
          plan(predictor::plan(layout, setup.log2_lines, setup.plain_bytes)),
          memory(plan.bytes),
          prior(setup.make_prior ? setup.make_prior() : nullptr),
          network(make_network(setup, known)),
          model(*setup.symbols, plan, layout, setup.parameters, memory.data(), setup.candidates,
                prior.get(), network.get()) {}

    static std::unique_ptr<model::symbol_distribution> make_network(
        const coding_setup& setup, std::span<const std::uint16_t> known) {
      if (!Strength::network || setup.network == nullptr) return nullptr;
      return std::make_unique<model::neural::network_distribution>(*setup.network, known);
    }

    model::parameter_layout layout;
    model::memory_plan plan;
    io::zeroed_memory memory;
    std::unique_ptr<model::symbol_distribution> prior, network;
    predictor model;
  };

  static std::uint64_t memory(const coding_setup& setup) {
    const model::parameter_layout layout(predictor::shape(setup.symbols->size()));
    const std::uint64_t network = Strength::network && setup.network != nullptr
                                      ? model::neural::network_distribution::memory(*setup.network)
                                      : 0;
    return predictor::plan(layout, setup.log2_lines, setup.plain_bytes).bytes + network;
  }

  static std::vector<std::byte> encode(const coding_setup& setup,
                                       std::span<const std::uint16_t> leaves) {
    session s(setup, leaves);
    return run_encoder(s, setup, leaves);
  }

  static void train(const coding_setup& setup, std::span<const std::uint16_t> leaves,
                    std::span<std::byte> learned) {
    session s(setup, leaves);
    run_encoder(s, setup, leaves);
    std::memcpy(learned.data(), s.memory.data() + s.plan.parameters, learned.size());
  }

  static void decode(const coding_setup& setup, std::span<const std::byte> coded,
                     std::span<std::byte> plain) {
    session s(setup);
    symbol_reader reader(coded);
    std::size_t done = 0;
    while (done < plain.size()) {
      const std::uint32_t leaf = code_symbol(s.model, reader);
      const auto bytes = setup.symbols->bytes(leaf);
      if (bytes.size() > plain.size() - done)
        throw error(errc::damaged, "a token passes the end of its block");
      std::memcpy(plain.data() + done, bytes.data(), bytes.size());
      done += bytes.size();
      s.model.finish_symbol(leaf);
    }
    if (!reader.exhausted()) throw error(errc::damaged, "coded bytes are left over");
  }

  static constexpr symbol_coder coder{predictor::shape(Strength::max_symbols),
                                      Strength::max_log2_lines,
                                      Strength::ngrams,
                                      memory,
                                      encode,
                                      decode,
                                      train};

 private:
  static std::vector<std::byte> run_encoder(session& s, const coding_setup& setup,
                                            std::span<const std::uint16_t> leaves) {
    symbol_writer writer(setup.symbols->tree());
    for (const std::uint16_t leaf : leaves) {
      writer.set(leaf);
      code_symbol(s.model, writer);
      s.model.finish_symbol(leaf);
    }
    return writer.finish();
  }
};

template <class Kernels>
constexpr symbol_coder_table all_coders{
    {{
        {coder_functions<model::token_strength2, Kernels>::coder,
         coder_functions<model::letter_strength2, Kernels>::coder,
         coder_functions<model::record_strength2, Kernels>::coder},
        {coder_functions<model::token_strength3, Kernels>::coder,
         coder_functions<model::letter_strength3, Kernels>::coder,
         coder_functions<model::record_strength3, Kernels>::coder},
        {coder_functions<model::token_strength4, Kernels>::coder,
         coder_functions<model::letter_strength4, Kernels>::coder,
         coder_functions<model::record_strength4, Kernels>::coder},
    }},
    {coder_functions<model::with_network<model::token_strength3>, Kernels>::coder,
     coder_functions<model::with_network<model::token_strength4>, Kernels>::coder}};

}  // namespace lmzip::codec::text
