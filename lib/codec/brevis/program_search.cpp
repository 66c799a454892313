#include "codec/brevis/program_search.h"

#include <algorithm>
#include <memory>
#include <queue>

#include "codec/brevis/block_writer.h"
#include "codec/brevis/type_rules.h"
#include "lmzip/error.h"

namespace lmzip::codec::brevis {
namespace {

constexpr std::uint64_t one_bit = std::uint64_t{1} << 16;
constexpr std::uint64_t one_byte = 8 * one_bit;

// Holes deeper than that are closed with coded numbers.
constexpr unsigned deepest = 4;

// After so many tensors of a class without structure, only cheap productions are tried for it.
constexpr unsigned many_misses = 8;

using step = std::shared_ptr<const proposal>;

struct hole {
  target wanted;
  unsigned depth = 0;
  std::shared_ptr<step> leaf = std::make_shared<step>();  ///< once it is made; for all copies
};

/// A partial program: its steps from the left, and the holes that are open, the next one last.
struct partial_program {
  std::uint64_t cost = 0;   // in units of one_bit
  std::uint64_t least = 0;  // bytes that every completion takes
  std::uint64_t number = 0;
  std::vector<step> steps;
  std::vector<hole> open;
};

struct cheaper_first {
  bool operator()(const partial_program& a, const partial_program& b) const {
    return a.cost != b.cost ? a.cost > b.cost : a.number > b.number;
  }
};

node build_from(const std::vector<step>& steps, std::size_t& next) {
  const proposal& now = *steps[next++];
  std::vector<node> parts;
  parts.reserve(now.holes.size());
  for (std::size_t i = 0; i < now.holes.size(); ++i) parts.push_back(build_from(steps, next));
  return now.build(std::move(parts));
}

step make_leaf(const target& wanted, const leaf_coding& leaves) {
  const auto& shape = wanted.type.shape;
  auto coded = leaves.code(wanted.type.type, shape.size() < 2 ? 0 : shape.back(), wanted.bytes);
  auto made = std::make_shared<proposal>();
  made->bytes = coded.payload.size() + 3;
  made->least = coded.payload.size();
  made->build = [program = leaf(wanted.type, coded.coder, std::move(coded.payload))](auto) {
    return program;
  };
  return made;
}

/// One tensor's search.
class best_first_search {
 public:
  using order_function = std::function<std::vector<production>(const target&, unsigned depth)>;

  best_first_search(const search_options& options, const production_prior& prior, name_class name,
                    const block_knowledge& known, const leaf_coding& leaves, order_function order)
      : options_(options),
        prior_(prior),
        name_(name),
        known_(known),
        leaves_(leaves),
        order_(std::move(order)) {}

  std::optional<found_program> run(const target& wanted, std::uint64_t budget) {
    budget_ = budget;
    wanted_ = &wanted;
    good_enough_ = 16 + wanted.bytes.size() / 1024;
    partial_program root;
    root.open.push_back({.wanted = wanted});
    expand(std::move(root));
    if (waiting_.empty() && !best_) return std::nullopt;
    // Even what costs nothing in a stream costs a few bytes of its tables.
    const std::uint64_t rest =
        std::max<std::uint64_t>(estimate_rest(wanted.type.type, wanted.bytes) / one_byte, 6);
    while (!waiting_.empty() && !done()) {
      partial_program next = waiting_.top();
      waiting_.pop();
      // Only what is certain counts here, so that more nodes never lead to a worse program.
      if (next.least < std::min(rest, best_ ? best_->bytes : rest)) expand(std::move(next));
    }
    if (best_ && best_->bytes >= rest) best_.reset();
    return std::move(best_);
  }

  std::uint64_t nodes() const noexcept { return nodes_; }
  std::uint64_t programs() const noexcept { return programs_; }

 private:
  /// Where there is next to nothing left to gain, nothing more is tried.
  bool done() const noexcept {
    return best_ && (!options_.best_first || best_->bytes <= good_enough_);
  }

  void expand(partial_program from) {
    const hole now = std::move(from.open.back());
    from.open.pop_back();
    const production_context context = context_of(now.wanted.type, name_);
    if (now.depth < deepest) {
      for (const production what : order_(now.wanted, now.depth)) {
        if (nodes_ >= budget_ || done()) break;
        ++nodes_;
        for (proposal& p : propose(what, now.wanted, known_, leaves_, now.depth > 0))
          take(from, now.depth, prior_.cost(context, what),
               std::make_shared<const proposal>(std::move(p)));
      }
    }
    // The tensor itself has its numbers in a shared stream, if nothing else is found.
    if (now.depth > 0) take(from, now.depth, prior_.cost(context, production::leaf), leaf_of(now));
  }

  step leaf_of(const hole& now) {
    step& made = *now.leaf;
    if (!made) made = make_leaf(now.wanted, leaves_);
    return made;
  }

  void take(const partial_program& from, unsigned depth, std::uint64_t prior_bits,
            const step& chosen) {
    partial_program next = from;
    next.number = ++numbers_;
    next.cost += prior_bits + chosen->bytes * one_byte;
    next.least += chosen->least;
    next.steps.push_back(chosen);
    for (std::size_t i = chosen->holes.size(); i-- > 0;)
      next.open.push_back({.wanted = chosen->holes[i], .depth = depth + 1});
    if (next.open.empty())
      complete(next);
    else
      waiting_.push(std::move(next));
  }

  /// Nothing that a program is made of is trusted to be right.
  bool makes_wanted(const node& program) const {
    if (!is_valid(program, wanted_->type, known_.types())) return false;
    try {
      const auto made = known_.result_of(program);
      return std::equal(made.begin(), made.end(), wanted_->bytes.begin(), wanted_->bytes.end());
    } catch (const error&) {
      return false;
    }
  }

  void complete(const partial_program& whole) {
    ++programs_;
    std::size_t first = 0;
    node program = build_from(whole.steps, first);
    const std::uint64_t bytes = program_bytes(program);
    if ((best_ && bytes >= best_->bytes) || !makes_wanted(program)) return;
    best_ = found_program{std::move(program), whole.steps.front()->what, bytes};
  }

  const search_options& options_;
  const production_prior& prior_;
  name_class name_;
  const block_knowledge& known_;
  const leaf_coding& leaves_;
  order_function order_;
  const target* wanted_ = nullptr;
  std::uint64_t good_enough_ = 0;
  std::uint64_t budget_ = 0, nodes_ = 0, programs_ = 0, numbers_ = 0;
  std::priority_queue<partial_program, std::vector<partial_program>, cheaper_first> waiting_;
  std::optional<found_program> best_;
};

bool is_cheap(production what) noexcept {
  return what == production::constant || what == production::ramp || what == production::related ||
         what == production::gathered;
}

/// Whether a production may serve what an operator needs, where the tensor's own was found before.
bool within_operators(production what) noexcept { return what != production::planes; }

}  // namespace

std::uint64_t node_budget(const search_options& options, std::uint64_t bytes) noexcept {
  if (options.nodes != 0) return options.nodes;
  constexpr std::uint64_t least = 40, most = 256;
  const std::uint64_t fast = std::clamp(bytes / (std::uint64_t{16} << 10), least, most);
  return options.effort == search_effort::full ? 4 * fast : fast;
}

program_search::program_search(const search_options& options, const leaf_coding& leaves)
    : options_(options), leaves_(leaves), prior_(options.learn) {}

std::vector<production> program_search::productions_for(const production_context& context,
                                                        const class_memory& memory) const {
  std::vector<production> all;
  const auto add = [&](production what) {
    const bool out = what == production::leaf ||
                     (options_.without >> static_cast<unsigned>(what) & 1) != 0 ||
                     (options_.effort != search_effort::full && what == production::near) ||
                     (memory.misses >= many_misses && !is_cheap(what)) ||
                     std::find(all.begin(), all.end(), what) != all.end();
    if (!out) all.push_back(what);
  };
  // What served the last tensor of the class is likely to serve again.
  if (memory.winner) add(*memory.winner);
  for (const production what : prior_.order(context)) add(what);
  return all;
}

std::optional<found_program> program_search::search(const target& wanted, name_class name,
                                                    const class_memory& memory) {
  const auto order = [&](const target& of, unsigned depth) {
    auto all = productions_for(context_of(of.type, name), depth == 0 ? memory : class_memory{});
    // Planes are for tensors that are not too large for a trial.
    constexpr std::size_t fast_limit = std::size_t{512} << 10;
    const bool planes =
        depth == 0 && (options_.effort == search_effort::full || of.bytes.size() <= fast_limit);
    if (!planes) std::erase_if(all, [](production p) { return !within_operators(p); });
    return all;
  };
  best_first_search one(options_, prior_, name, known_, leaves_, order);
  std::uint64_t budget = node_budget(options_, wanted.bytes.size());
  // The first tensor of a context is the sample that the prior learns from: all is tried for it.
  if (!prior_.has_seen(context_of(wanted.type, name)) && options_.nodes == 0) budget *= 2;
  auto found = one.run(wanted, budget);
  statistics_.nodes += one.nodes();
  statistics_.programs += one.programs();
  return found;
}

std::optional<found_program> program_search::find(const tensor_type& type, name_class name,
                                                  std::span<const std::byte> bytes,
                                                  std::uint64_t first_row) {
  constexpr std::size_t least_bytes = 16;
  std::optional<found_program> found;
  // The last tensor of a block need not be noted: many blocks have one only.
  if (last_) known_.add(last_->type, last_->bytes);
  last_ = known_tensor{type, bytes};
  if (options_.effort != search_effort::none && can_view(type.type) && type.type != dtype::bytes &&
      bytes.size() >= least_bytes) {
    class_memory& memory = cache_[{type.type, type.shape, name}];
    found = search({type, bytes, nullptr, first_row}, name, memory);
    memory.misses = found ? 0 : memory.misses + 1;
    if (found) memory.winner = found->first;
    prior_.learn(context_of(type, name), found ? found->first : production::leaf);
  }
  return found;
}

}  // namespace lmzip::codec::brevis
