#include "engine/base_match.h"

#include <map>
#include <unordered_set>
#include <utility>

#include "codec/delta/delta_codec.h"

namespace lmzip::engine {
namespace {

std::uint64_t elements_of(const tensors::tensor& t) noexcept {
  return t.bytes * 8 / bits_of(t.type);
}

class matcher {
  using numbers = std::vector<std::uint32_t>;

 public:
  explicit matcher(const base_pool& base) : base_(base) {}

  void take_named(const tensors::tensor& t, partners& to) {
    if (t.type == dtype::bytes || t.name.empty()) return;
    numbers fitting;
    for (auto each = base_.named(t.name); each && fitting.size() < most_tried;
         each = base_.tensors()[*each].next_of_name) {
      const base_tensor& partner = base_.tensors()[*each];
      if (partner.elements == elements_of(t) && codec::delta::can_be_base(partner.type, t.type))
        fitting.push_back(*each);
    }
    if (fitting.empty()) return;
    to.named = fitting.front();
    taken_.insert(fitting.begin(), fitting.end());
    if (fitting.size() > 1) to.choice = std::make_shared<const numbers>(std::move(fitting));
  }

  void take_alike(const tensors::tensor& t, partners& to) {
    if (t.type == dtype::bytes || to.named) return;
    const std::uint64_t shape = hash_of_shape(t.shape);
    auto& known = alike_[{t.type, shape}];
    if (!known) known = untaken(base_.alike(t.type, shape));
    if (!known->empty()) to.choice = known;
  }

 private:
  std::shared_ptr<const numbers> untaken(std::span<const std::uint32_t> all) const {
    auto left = std::make_shared<numbers>();
    for (const std::uint32_t each : all) {
      if (left->size() == most_tried) break;
      if (!taken_.contains(each)) left->push_back(each);
    }
    return left;
  }

  const base_pool& base_;
  std::unordered_set<std::uint32_t> taken_;
  std::map<std::pair<dtype, std::uint64_t>, std::shared_ptr<const numbers>> alike_;
};

}  // namespace

std::vector<partners> match(const tensors::tensor_layout& layout, const base_pool& base) {
  std::vector<partners> found(layout.tensors.size());
  matcher work(base);
  for (std::size_t i = 0; i < found.size(); ++i) work.take_named(layout.tensors[i], found[i]);
  for (std::size_t i = 0; i < found.size(); ++i) work.take_alike(layout.tensors[i], found[i]);
  return found;
}

}  // namespace lmzip::engine
