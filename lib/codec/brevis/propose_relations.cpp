#include <algorithm>
#include <cstdlib>
#include <optional>

#include "codec/brevis/numbers.h"
#include "codec/brevis/proposals.h"
#include "codec/delta/delta_codec.h"

namespace lmzip::codec::brevis {
namespace {

using proposals = std::vector<proposal>;

constexpr std::size_t least_bytes = 32;

node program_of(const relation& how, const target& wanted, const block_knowledge& known) {
  const tensor_type& from = known.types()[how.source];
  node program = reference(known.types(), how.source);
  if (how.transposed) program = transpose(std::move(program), from.shape[0], from.shape[1]);
  if (how.through != dtype::bytes) program = cast(how.through, std::move(program));
  if (program.result.type != wanted.type.type) program = cast(wanted.type.type, std::move(program));
  if (how.exponent != 0) program = scale2(std::move(program), how.exponent);
  return how.negated ? negate(std::move(program)) : program;
}

proposals related(const target& wanted, const block_knowledge& known) {
  constexpr int greatest_exponent = 4096;
  for (const relation& how : known.relations().find(wanted.view())) {
    if (std::abs(how.exponent) > greatest_exponent) continue;
    auto found = finished(production::related, program_of(how, wanted, known), wanted, known);
    if (!found.empty()) return found;
  }
  return {};
}

/// Rows that follow each other in one tensor.
struct run_of_rows {
  std::size_t source, first, count;
  bool falling;
};

std::vector<run_of_rows> runs_of(const row_match& match) {
  std::vector<run_of_rows> runs;
  for (const row_match::place& at : match.places) {
    if (!runs.empty() && runs.back().source == at.source) {
      run_of_rows& last = runs.back();
      const bool rises = at.row == last.first + last.count && (!last.falling || last.count == 1);
      const bool falls = at.row + last.count == last.first && (last.falling || last.count == 1);
      if (rises || falls) {
        last.falling = falls;
        ++last.count;
        continue;
      }
    }
    runs.push_back({at.source, at.row, 1, false});
  }
  return runs;
}

node node_of(const run_of_rows& run, std::uint64_t columns, const block_knowledge& known) {
  const std::uint64_t all_columns = known.views()[run.source].columns();
  const std::uint64_t first = run.falling ? run.first + 1 - run.count : run.first;
  const bool whole = all_columns == columns && run.count == known.views()[run.source].rows();
  node part = whole ? reference(known.types(), run.source)
                    : block(known.types(), run.source, all_columns, first, 0, run.count, columns);
  return run.falling ? reverse(std::move(part), run.count, columns) : part;
}

/// Numbers of rows as the narrowest integers.
target indices_of(const row_match& match) {
  std::size_t most = 0;
  for (const auto& at : match.places) most = std::max(most, at.row);
  const dtype type = most < 256 ? dtype::u8 : most < 65536 ? dtype::u16 : dtype::u32;
  std::vector<std::uint64_t> numbers;
  for (const auto& at : match.places) numbers.push_back(at.row);
  std::vector<std::byte> bytes(numbers.size() * bits_of(type) / 8);
  store_integers(type, numbers.data(), numbers.size(), bytes.data());
  return make_target(vector_of(type, numbers.size()), std::move(bytes));
}

/// An earlier tensor that holds those numbers; such indices often stand beside what they gather.
std::optional<std::size_t> tensor_of_indices(const row_match& match, const block_knowledge& known) {
  const std::size_t count = match.places.size();
  std::vector<std::uint64_t> numbers(count);
  for (std::size_t i = 0; i < known.views().size(); ++i) {
    const tensor_view& x = known.views()[i];
    if (!holds_integers(x.type) || x.elements() != count || !can_view(x.type)) continue;
    load_integers(x.type, x.bytes.data(), count, numbers.data());
    const bool equal = std::equal(numbers.begin(), numbers.end(), match.places.begin(),
                                  [](std::uint64_t n, const auto& at) { return n == at.row; });
    if (equal) return i;
  }
  return std::nullopt;
}

proposals gathered(const target& wanted, const block_knowledge& known) {
  constexpr std::size_t most_runs = 24;
  const tensor_view x = wanted.view();
  const auto match = known.rows().find(x, known.views());
  if (!match) return {};
  const std::uint64_t columns = x.columns();
  const auto runs = runs_of(*match);
  if (runs.size() <= most_runs) {
    std::vector<node> parts;
    for (const run_of_rows& run : runs) parts.push_back(node_of(run, columns, known));
    return finished(production::gathered,
                    parts.size() == 1 ? std::move(parts[0]) : concat(std::move(parts)), wanted,
                    known);
  }
  const std::size_t source = match->places[0].source;
  const bool one = std::all_of(match->places.begin(), match->places.end(),
                               [&](const auto& at) { return at.source == source; });
  if (!one || known.views()[source].columns() != columns) return {};
  if (const auto index = tensor_of_indices(*match, known))
    return finished(production::gathered,
                    rows(known.types(), source, columns, reference(known.types(), *index)), wanted,
                    known);
  return {{production::gathered,
           6,
           0,
           {indices_of(*match)},
           [types = std::vector<tensor_type>(known.types().begin(), known.types().end()), source,
            columns](std::vector<node> parts) {
             return rows(types, source, columns, std::move(parts[0]));
           }}};
}

/// Earlier tensors of the target's type and size, the last ones first.
std::vector<std::size_t> alike(const target& wanted, const block_knowledge& known,
                               std::size_t most) {
  std::vector<std::size_t> found;
  for (std::size_t i = known.types().size(); i-- > 0 && found.size() < most;)
    if (known.types()[i].type == wanted.type.type &&
        known.views()[i].bytes.size() == wanted.bytes.size())
      found.push_back(i);
  return found;
}

bool is_sum(const tensor_view& x, const tensor_view& a, const tensor_view& b) {
  constexpr unsigned looks = 16;
  sample_places places(x.elements(), 43);
  bool some = false;
  for (unsigned i = 0; i < looks; ++i) {
    const std::size_t at = places.next();
    double numbers[3];
    load_reals(x.type, a.at(at), 1, &numbers[0]);
    load_reals(x.type, b.at(at), 1, &numbers[1]);
    numbers[2] = numbers[0] + numbers[1];
    std::byte sum[8];
    store_reals(x.type, &numbers[2], 1, sum);
    if (!std::equal(sum, sum + x.element_bytes(), x.at(at))) return false;
    some = some || (numbers[0] != 0 && numbers[1] != 0);
  }
  return some;
}

proposals sums(const target& wanted, const block_knowledge& known) {
  constexpr std::size_t most = 24;
  const tensor_view x = wanted.view();
  if (!holds_floats(x.type) || x.bytes.size() < 4 * least_bytes) return {};
  const auto others = alike(wanted, known, most);
  for (std::size_t i = 0; i < others.size(); ++i)
    for (std::size_t j = i; j < others.size(); ++j)
      if (is_sum(x, known.views()[others[i]], known.views()[others[j]])) {
        auto found =
            finished(production::sum,
                     add(reference(known.types(), others[j]), reference(known.types(), others[i])),
                     wanted, known);
        if (!found.empty()) return found;
      }
  return {};
}

proposals near_ones(const target& wanted, const block_knowledge& known) {
  constexpr std::size_t most = 3, least = std::size_t{4} << 10, sampled = std::size_t{8} << 10;
  if (wanted.bytes.size() < least) return {};
  const dtype type = wanted.type.type;
  const auto sample = sample_numbers(type, wanted.bytes, sampled);
  std::uint64_t best = estimate_rest(type, sample) / 16 * 15;
  std::optional<std::size_t> source;
  for (const std::size_t i : alike(wanted, known, most)) {
    const auto other = sample_numbers(type, known.views()[i].bytes, sampled);
    if (!delta::can_be_base(type, type)) return {};
    const std::uint64_t cost = delta::estimate(type, {type, other}, sample);
    if (cost >= best) continue;
    best = cost;
    source = i;
  }
  if (!source) return {};
  auto payload = delta::encode(type, {type, known.views()[*source].bytes}, wanted.bytes);
  const std::size_t bytes = payload.size() + 4;
  return {{production::near,
           bytes,
           0,
           {},
           [program = delta(wanted.type, known.types(), *source, std::move(payload))](auto) {
             return program;
           }}};
}

}  // namespace

std::vector<proposal> propose_relations(production what, const target& wanted,
                                        const block_knowledge& known) {
  if (known.types().empty() || wanted.bytes.size() < least_bytes) return {};
  switch (what) {
    case production::related:
      return related(wanted, known);
    case production::gathered:
      return gathered(wanted, known);
    case production::sum:
      return sums(wanted, known);
    case production::near:
      return near_ones(wanted, known);
    default:
      return {};
  }
}

}  // namespace lmzip::codec::brevis
