#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/cursor.h"

namespace lmzip::tensors {

/// A value that pickle opcodes make, as far as it matters here.
struct pickle_value {
  enum class kind : std::uint8_t {
    other,
    mark,
    number,   ///< `number`
    text,     ///< `text`
    global,   ///< `text`: the name of a function or class, without its module
    tuple,    ///< `items` of pickle_machine::tuples() from `number` on
    mapping,  ///< a dictionary, list or object; `number` is its own
    storage,  ///< `number` in pickle_machine::storages()
    view,     ///< a tensor; `number` in pickle_machine::views()
  };

  kind is = kind::other;
  std::uint32_t items = 0;
  std::uint64_t number = 0;
  std::string_view text = {};
};

/// Walks over the opcodes of a pickle, protocols 0 to 5, see pickle_scan.h.
class pickle_machine {
 public:
  struct storage {
    std::string_view type;  ///< such as "FloatStorage"
    std::string_view key;
    std::uint64_t elements = 0;
  };
  /// A tensor: a part of a storage. Shape and strides are tuples.
  struct view {
    std::size_t storage = 0;
    std::uint64_t first = 0;
    pickle_value shape;
    pickle_value strides;
    std::string_view type;  ///< such as "float8_e4m3fn", where the storage has none
  };
  /// `value` was put into a mapping under `key`: a text or a number. kind::other: an item of a
  /// list; kind::mark: the state of an object, which goes by the name of the object.
  struct entry {
    std::uint64_t mapping = 0;
    pickle_value key;
    pickle_value value;
  };

  explicit pickle_machine(std::span<const std::byte> pickle) : in_(pickle) {}

  /// Runs to the end or to what does not fit.
  void run();

  /// What the pickle stands for, if it came to its end.
  const std::optional<pickle_value>& result() const noexcept { return result_; }
  std::span<const pickle_value> tuples() const noexcept { return tuples_; }
  std::span<const storage> storages() const noexcept { return storages_; }
  std::span<const view> views() const noexcept { return views_; }
  std::span<const entry> entries() const noexcept { return entries_; }
  std::span<const pickle_value> items_of(const pickle_value& tuple) const noexcept;

 private:
  using kind = pickle_value::kind;

  bool step();
  bool step_constant(std::uint8_t opcode);
  bool step_text(std::uint8_t opcode);
  bool step_container(std::uint8_t opcode);
  bool step_memo(std::uint8_t opcode);
  bool step_call(std::uint8_t opcode);

  void push(pickle_value value);
  pickle_value pop();
  /// Takes the values above the topmost mark off the stack, and the mark.
  std::span<const pickle_value> pop_to_mark();
  void push_text(std::uint64_t length);
  void push_tuple(std::span<const pickle_value> items);
  void push_mapping();
  void push_global(std::string_view name);
  void remember(std::uint64_t slot);
  void recall(std::uint64_t slot);
  void put_pairs(std::span<const pickle_value> values);
  void put_list(std::span<const pickle_value> values);
  void persistent_id();
  void call(const pickle_value& function, const pickle_value& arguments);
  bool rebuild_tensor(std::string_view function, const pickle_value& arguments);
  std::string_view line();
  std::string_view take(std::uint64_t length);

  cursor in_;
  std::vector<pickle_value> stack_;
  std::vector<pickle_value> taken_;
  std::vector<pickle_value> memo_;
  std::vector<pickle_value> tuples_;
  std::vector<storage> storages_;
  std::vector<view> views_;
  std::vector<entry> entries_;
  std::uint64_t mappings_ = 0;
  std::optional<pickle_value> result_;
};

}  // namespace lmzip::tensors
