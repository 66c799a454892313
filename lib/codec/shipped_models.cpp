#include "codec/shipped_models.h"

#include <algorithm>
#include <deque>
#include <mutex>

#include "vocab/shipped.h"

namespace lmzip::codec {
namespace {

class lazy_model {
 public:
  explicit lazy_model(std::span<const std::byte> file) : file_(file) {
    const auto id = file.last(sizeof(hash256));
    std::copy(id.begin(), id.end(), id_.begin());
  }

  const hash256& id() const noexcept { return id_; }
  std::span<const std::byte> file() const noexcept { return file_; }

  std::shared_ptr<const shared_model> get() {
    std::call_once(read_, [this] { model_ = read_sound_model(file_); });
    return model_;
  }

 private:
  std::span<const std::byte> file_;
  hash256 id_{};
  std::once_flag read_;
  std::shared_ptr<const shared_model> model_;
};

/// The weaker first.
std::deque<lazy_model>& models() {
  static std::deque<lazy_model> all = [] {
    std::deque<lazy_model> made;
    for (const auto file : vocab::shipped_model_files()) made.emplace_back(file);
    return made;
  }();
  return all;
}

template <class Condition>
std::shared_ptr<const shared_model> first_where(Condition holds) {
  const auto found = std::find_if(models().begin(), models().end(), holds);
  return found == models().end() ? nullptr : found->get();
}

}  // namespace

std::shared_ptr<const shared_model> shipped_model(const hash256& id) {
  return first_where([&](const lazy_model& m) { return m.id() == id; });
}

std::span<const std::byte> shipped_model_file(const hash256& id) {
  for (const lazy_model& m : models())
    if (m.id() == id) return m.file();
  return {};
}

std::shared_ptr<const shared_model> shipped_model_with_mark(std::uint32_t mark) {
  return first_where([&](const lazy_model& m) { return mark_of(m.id()) == mark; });
}

std::shared_ptr<const shared_model> shipped_model_of_level(int level) {
  return level == 8 ? models().front().get() : models().back().get();
}

std::vector<std::shared_ptr<const shared_model>> all_shipped_models() {
  std::vector<std::shared_ptr<const shared_model>> all;
  for (lazy_model& m : models()) all.push_back(m.get());
  return all;
}

}  // namespace lmzip::codec
