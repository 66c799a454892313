#pragma once

// The functions of run_coder for one set of kernels. Included once by each of the files that are
// compiled for an instruction set.

#include "codec/bwt/run_coder_parts.h"
#include "model/mixer.h"

namespace lmzip::codec::bwt {

/// Codes numbers of one kind, in either direction.
template <class Kind, class Kernels>
class number_coder {
 public:
  explicit number_coder(number_tables& tables) noexcept
      : tables_(tables), mixer_({tables.weight[0][0].data()}, learning_rate) {}

  void prefetch(const number_context& context) const noexcept {
    for (std::size_t i = 0; i < later_contexts; ++i)
      __builtin_prefetch(&tables_.line[i][context.line[i]], 1);
  }

  /// Codes a number and learns it. A coder that knows numbers takes `number` and returns it.
  template <class Coder>
  std::uint32_t code(Coder& coder, const number_context& context, std::uint32_t number) noexcept {
    for (std::size_t i = 0; i < later_contexts; ++i) {
      line_[i] = &tables_.line[i][context.line[i]];
      rate_[i] = visit_rates[line_[i]->visits];
    }
    for (std::size_t i = 0; i < first_contexts; ++i) {
      first_[i] = &tables_.first[i][context.line[later_contexts + i]];
      rate_[later_contexts + i] = visit_rates[first_[i]->visits];
    }
    weights_ = context.weights;
    const std::uint32_t result = code_in_lines(coder, number);
    for (context_line* line : line_) line->visits += line->visits < max_visits ? 1 : 0;
    for (first_line* line : first_) line->visits += line->visits < max_visits ? 1 : 0;
    return result;
  }

 private:
  // Places of the decisions in a line: those about e, those below of numbers without a tail (a
  // tree for each e), the second highest bit of those with one.
  static constexpr unsigned trees = 1 + Kind::own_decisions;
  static constexpr unsigned tree_of(unsigned e) noexcept { return trees + (1U << e) - 1 - e; }
  static constexpr unsigned seconds = tree_of(first_tailed);
  static constexpr unsigned own_seconds = 4;
  static_assert(seconds - 1 + own_seconds <= context_line::decisions);
  static constexpr int learning_rate = 6;

  template <class Coder>
  std::uint32_t code_in_lines(Coder& coder, std::uint32_t number) noexcept {
    const unsigned known = Coder::knows ? static_cast<unsigned>(std::bit_width(number)) - 1 : 0;
    if (decide<contexts>(coder, 0, known == 0)) return 1;
    for (std::size_t i = 0; i < later_contexts; ++i)
      rate_[i] = visit_rates[std::min(line_[i]->visits / 2, max_later_visits)];
    unsigned e = 1;
    while (e < Kind::highest &&
           !decide<later_contexts>(coder, std::min(e, Kind::own_decisions), known == e))
      ++e;
    if (Kind::lowest_of_highest && e == Kind::highest) return 1U << e;
    if (e < first_tailed) {
      std::uint32_t path = 1;
      for (unsigned below = e; below-- > 0;)
        path = path << 1 | static_cast<std::uint32_t>(decide<later_contexts>(
                               coder, tree_of(e) + path - 1, (number >> below & 1) != 0));
      return path;
    }
    const bool second = decide<later_contexts>(
        coder, seconds + std::min(e - first_tailed, own_seconds - 1), (number >> (e - 1) & 1) != 0);
    return code_tail(coder, e, 2U | static_cast<std::uint32_t>(second), number);
  }

  template <class Coder>
  std::uint32_t code_tail(Coder& coder, unsigned e, std::uint32_t path,
                          std::uint32_t number) noexcept {
    unsigned below = e - 1;
    while (below > 0 && path < tail_paths) {
      --below;
      std::uint16_t& chance = tables_.tail[e][path];
      const bool bit = coder.code((number >> below & 1) != 0, held(chance));
      model::adapt(chance, bit, tail_rate);
      path = path << 1 | static_cast<std::uint32_t>(bit);
    }
    while (below > 0) {
      const unsigned bits = std::min(below, rans_precision);
      below -= bits;
      path = path << bits | coder.code_raw(number >> below & ((1U << bits) - 1), bits);
    }
    return path;
  }

  /// Codes a decision in the first of the contexts.
  template <std::size_t Contexts, class Coder>
  bool decide(Coder& coder, unsigned place, bool known) noexcept {
    std::array<std::uint16_t, Contexts> chances;
    for (std::size_t i = 0; i < Contexts; ++i) chances[i] = chance_at(i, place);
    Kernels::store_stretches(chances, mixer_.inputs());
    mixer_.select(0, place * weight_sets + weights_);
    mixer_.mix();
    const bool bit = coder.code(known, held(mixer_.probability()));
    mixer_.learn(bit);
    const int target = bit ? 65535 : 0;
    for (std::size_t i = 0; i < Contexts; ++i)
      chance_at(i, place) =
          static_cast<std::uint16_t>(chances[i] + (((target - chances[i]) * rate_[i]) >> 16));
    return bit;
  }

  std::uint16_t& chance_at(std::size_t context, unsigned place) const noexcept {
    return context < later_contexts ? line_[context]->chance[place]
                                    : first_[context - later_contexts]->chance;
  }

  static std::uint32_t held(int probability) noexcept {
    return static_cast<std::uint32_t>(std::clamp(probability, 32, 65504));
  }

  static constexpr int tail_rate = 6;

  number_tables& tables_;
  model::mixer<mixer_inputs, 1, Kernels> mixer_;
  std::array<context_line*, later_contexts> line_{};
  std::array<first_line*, first_contexts> first_{};
  std::array<std::int32_t, contexts> rate_{};
  std::uint32_t weights_ = 0;
};

template <class Kernels>
struct run_coder_functions {
  static std::vector<std::byte> encode(std::span<const std::uint8_t> last, run_tables& tables,
                                       std::span<std::uint32_t> runs) {
    byte_list list;
    const std::span<const std::uint32_t> found = find_runs(last, runs, list);
    decision_writer writer;
    code_list(writer, list);
    number_coder<length_kind, Kernels> lengths(tables.lengths);
    number_coder<rank_kind, Kernels> ranks(tables.ranks);
    run_contexts seen;
    // What a number is coded with is known, and fetched, one number before.
    std::size_t done = 0;
    std::uint8_t byte = last[0];
    for (auto run = found.begin();; ++run) {
      const std::uint32_t length = run_length(*run);
      done += length;
      if (done == last.size()) {
        lengths.code(writer, seen.for_length(byte, byte), length);
        break;
      }
      const std::uint8_t next = last[done];
      const number_context length_context = seen.for_length(byte, next);
      seen.add_length(byte, length);
      const number_context rank_context = seen.for_rank(byte, next);
      ranks.prefetch(rank_context);
      lengths.code(writer, length_context, length);
      const std::uint32_t rank = run_rank(*run);
      seen.add_rank(byte, rank);
      const std::size_t after = done + run_length(*(run + 1));
      lengths.prefetch(seen.for_length(next, last[std::min(after, last.size() - 1)]));
      ranks.code(writer, rank_context, rank);
      byte = next;
      writer.end_run();
    }
    return writer.finish();
  }

  static void decode(std::span<const std::byte> coded, run_tables& tables,
                     std::span<std::uint8_t> last) {
    decision_reader reader(coded);
    byte_list list;
    code_list(reader, list);
    number_coder<length_kind, Kernels> lengths(tables.lengths);
    number_coder<rank_kind, Kernels> ranks(tables.ranks);
    run_contexts seen;
    std::size_t done = 0;
    for (;;) {
      const std::uint8_t byte = list[0];
      const std::uint8_t next = list.size() > 1 ? list[1] : byte;
      const number_context length_context = seen.for_length(byte, next);
      // Most of what the next number is coded with is known already.
      ranks.prefetch(seen.for_rank(byte, next));
      const std::uint32_t length = lengths.code(reader, length_context, 0);
      if (length > last.size() - done)
        throw error(errc::damaged, "a run passes the end of its block");
      std::memset(last.data() + done, byte, length);
      done += length;
      if (done == last.size()) break;
      seen.add_length(byte, length);
      lengths.prefetch(seen.for_length(next, list[2]));
      const std::uint32_t rank = ranks.code(reader, seen.for_rank(byte, next), 0);
      if (rank < list.size())
        list.move_back(rank);
      else if (rank == never_again && list.size() > 1)
        list.pop_front();
      else
        throw error(errc::damaged, "a byte comes again behind all others");
      seen.add_rank(byte, rank);
      reader.end_run();
    }
    if (!reader.exhausted()) throw error(errc::damaged, "coded bytes are left over");
  }

  static constexpr run_coder table{encode, decode};

 private:
  // A run in a number: its rank - 1 in the lower 8 bits, its length - 1 above.
  static std::uint32_t run_length(std::uint32_t run) noexcept { return (run >> 8) + 1; }
  static std::uint32_t run_rank(std::uint32_t run) noexcept { return (run & 255) + 1; }

  /// Finds the runs from the last one to the first, with the list as it is before the first.
  static std::span<const std::uint32_t> find_runs(std::span<const std::uint8_t> last,
                                                  std::span<std::uint32_t> runs,
                                                  byte_list& list) noexcept {
    std::array<bool, 256> seen{};
    std::size_t first = runs.size();
    std::size_t end = last.size();
    while (end > 0) {
      const std::uint8_t byte = last[end - 1];
      std::size_t start = end - 1;
      while (start > 0 && last[start - 1] == byte) --start;
      std::uint32_t rank = never_again;
      if (seen[byte]) {
        rank = static_cast<std::uint32_t>(list.move_to_front(byte));
      } else {
        seen[byte] = true;
        list.push_front(byte);
      }
      runs[--first] = static_cast<std::uint32_t>(end - start - 1) << 8 | (rank - 1);
      end = start;
    }
    return runs.subspan(first);
  }
};

}  // namespace lmzip::codec::bwt
