#include "formats/tensors/pickle_machine.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "formats/tensors/pickle_opcodes.h"
#include "lmzip/error.h"

namespace lmzip::tensors {
namespace {

/// Python takes items of a container off the stack by thousands.
constexpr std::size_t deepest_stack = std::size_t{1} << 18;

[[noreturn]] void refuse() { throw error(errc::damaged, "the pickle is not understood"); }

pickle_value number_of(std::uint64_t number) {
  return {.is = pickle_value::kind::number, .number = number};
}

}  // namespace

std::span<const pickle_value> pickle_machine::items_of(const pickle_value& tuple) const noexcept {
  if (tuple.is != kind::tuple) return {};
  return std::span(tuples_).subspan(static_cast<std::size_t>(tuple.number), tuple.items);
}

void pickle_machine::run() {
  try {
    while (step()) {
    }
  } catch (const error&) {
    // What was seen so far is kept.
  }
}

bool pickle_machine::step() {
  const std::uint8_t code = in_.u8();
  if (code == op_stop) {
    result_ = pop();
    return false;
  }
  return step_constant(code) || step_text(code) || step_container(code) || step_memo(code) ||
         step_call(code);
}

std::string_view pickle_machine::take(std::uint64_t length) {
  if (length > in_.remaining()) refuse();
  const auto bytes = in_.bytes(static_cast<std::size_t>(length));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string_view pickle_machine::line() {
  cursor ahead = in_;
  std::uint64_t length = 0;
  while (ahead.u8() != '\n') ++length;
  const std::string_view text = take(length);
  in_.u8();
  return text;
}

void pickle_machine::push(pickle_value value) {
  if (stack_.size() == deepest_stack) refuse();
  stack_.push_back(value);
}

pickle_value pickle_machine::pop() {
  if (stack_.empty() || stack_.back().is == kind::mark) refuse();
  const pickle_value value = stack_.back();
  stack_.pop_back();
  return value;
}

std::span<const pickle_value> pickle_machine::pop_to_mark() {
  const auto found = std::find_if(stack_.rbegin(), stack_.rend(),
                                  [](const pickle_value& v) { return v.is == kind::mark; });
  if (found == stack_.rend()) refuse();
  taken_.assign(found.base(), stack_.end());
  stack_.erase(std::prev(found.base()), stack_.end());
  return taken_;
}

bool pickle_machine::step_constant(std::uint8_t code) {
  switch (code) {
    case op_proto:
      in_.u8();
      return true;
    case op_frame:
      in_.u64();
      return true;
    case op_none:
    case op_newtrue:
    case op_newfalse:
      push({});
      return true;
    case op_float:
      line();
      push({});
      return true;
    case op_binfloat:
      in_.u64();
      push({});
      return true;
    case op_binint:
      push(number_of(in_.u32()));  // negative ones are too large for a size then
      return true;
    case op_binint1:
      push(number_of(in_.u8()));
      return true;
    case op_binint2:
      push(number_of(in_.u16()));
      return true;
    case op_int:
    case op_long: {
      const std::string_view digits = line();
      std::uint64_t number = 0;
      const auto [end, failure] =
          std::from_chars(digits.data(), digits.data() + digits.size(), number);
      push(failure == std::errc() ? number_of(number) : pickle_value{});
      return true;
    }
    case op_long1:
    case op_long4: {
      const std::string_view bytes = take(code == op_long1 ? in_.u8() : in_.u32());
      std::uint64_t number = 0;
      for (std::size_t i = std::min<std::size_t>(bytes.size(), 8); i-- > 0;)
        number = number << 8 | static_cast<unsigned char>(bytes[i]);
      push(bytes.size() <= 9 ? number_of(number) : pickle_value{});
      return true;
    }
    default:
      return false;
  }
}

void pickle_machine::push_text(std::uint64_t length) {
  push({.is = kind::text, .text = take(length)});
}

bool pickle_machine::step_text(std::uint8_t code) {
  switch (code) {
    case op_binunicode:
    case op_binstring:
      push_text(in_.u32());
      return true;
    case op_short_binunicode:
    case op_short_binstring:
      push_text(in_.u8());
      return true;
    case op_binunicode8:
      push_text(in_.u64());
      return true;
    case op_unicode:
    case op_string:
      push({.is = kind::text, .text = line()});
      return true;
    case op_binbytes:
      take(in_.u32());
      push({});
      return true;
    case op_short_binbytes:
      take(in_.u8());
      push({});
      return true;
    case op_binbytes8:
    case op_bytearray8:
      take(in_.u64());
      push({});
      return true;
    case op_global:
      line();
      push_global(line());
      return true;
    case op_stack_global: {
      const pickle_value name = pop();
      pop();
      push_global(name.text);
      return true;
    }
    default:
      return false;
  }
}

void pickle_machine::push_global(std::string_view name) {
  push({.is = kind::global, .text = name});
}

void pickle_machine::push_tuple(std::span<const pickle_value> items) {
  const pickle_value tuple{.is = kind::tuple,
                           .items = static_cast<std::uint32_t>(items.size()),
                           .number = tuples_.size()};
  tuples_.insert(tuples_.end(), items.begin(), items.end());
  push(tuple);
}

void pickle_machine::push_mapping() { push({.is = kind::mapping, .number = mappings_++}); }

/// Puts keys and values into the mapping on top of the stack.
void pickle_machine::put_pairs(std::span<const pickle_value> values) {
  if (stack_.empty() || values.size() % 2 != 0) refuse();
  const pickle_value& target = stack_.back();
  if (target.is != kind::mapping) return;
  for (std::size_t i = 0; i < values.size(); i += 2)
    entries_.push_back({.mapping = target.number, .key = values[i], .value = values[i + 1]});
}

void pickle_machine::put_list(std::span<const pickle_value> values) {
  if (stack_.empty()) refuse();
  const pickle_value& target = stack_.back();
  if (target.is != kind::mapping) return;
  for (const pickle_value& v : values)
    entries_.push_back({.mapping = target.number, .key = {}, .value = v});
}

bool pickle_machine::step_container(std::uint8_t code) {
  switch (code) {
    case op_empty_tuple:
      push_tuple({});
      return true;
    case op_tuple:
      push_tuple(pop_to_mark());
      return true;
    case op_empty_dict:
    case op_empty_list:
    case op_empty_set:
      push_mapping();
      return true;
    case op_dict: {
      const auto values = pop_to_mark();
      push_mapping();
      put_pairs(values);
      return true;
    }
    case op_list:
    case op_frozenset: {
      const auto values = pop_to_mark();
      push_mapping();
      put_list(values);
      return true;
    }
    case op_append: {
      const pickle_value value = pop();
      put_list({&value, 1});
      return true;
    }
    case op_setitem: {
      pickle_value pair[2];
      pair[1] = pop();
      pair[0] = pop();
      put_pairs(pair);
      return true;
    }
    case op_appends:
    case op_additems:
      put_list(pop_to_mark());
      return true;
    case op_setitems:
      put_pairs(pop_to_mark());
      return true;
    default:
      if (code < op_tuple1 || code > op_tuple3) return false;
      taken_.resize(static_cast<std::size_t>(code - op_tuple1) + 1);
      for (std::size_t i = taken_.size(); i-- > 0;) taken_[i] = pop();
      push_tuple(taken_);
      return true;
  }
}

/// Slots are numbered in the order of their first use; a number further on is none of a pickler.
void pickle_machine::remember(std::uint64_t slot) {
  if (stack_.empty() || stack_.back().is == kind::mark || slot > memo_.size()) refuse();
  if (slot == memo_.size()) memo_.emplace_back();
  memo_[static_cast<std::size_t>(slot)] = stack_.back();
}

void pickle_machine::recall(std::uint64_t slot) {
  if (slot >= memo_.size()) refuse();
  push(memo_[static_cast<std::size_t>(slot)]);
}

bool pickle_machine::step_memo(std::uint8_t code) {
  switch (code) {
    case op_mark:
      push({.is = kind::mark});
      return true;
    case op_pop:
      if (stack_.empty()) refuse();
      stack_.pop_back();
      return true;
    case op_pop_mark:
      pop_to_mark();
      return true;
    case op_dup:
      if (stack_.empty()) refuse();
      push(stack_.back());
      return true;
    case op_memoize:
      remember(memo_.size());
      return true;
    case op_binput:
      remember(in_.u8());
      return true;
    case op_long_binput:
      remember(in_.u32());
      return true;
    case op_binget:
      recall(in_.u8());
      return true;
    case op_long_binget:
      recall(in_.u32());
      return true;
    default:
      return false;  // PUT and GET with numbers in decimal: protocol 0, which no PyTorch writes
  }
}

bool pickle_machine::step_call(std::uint8_t code) {
  switch (code) {
    case op_binpersid:
      persistent_id();
      return true;
    case op_newobj_ex:
      pop();
      [[fallthrough]];
    case op_newobj:
    case op_reduce: {
      const pickle_value arguments = pop();
      const pickle_value function = pop();
      call(function, arguments);
      return true;
    }
    case op_build: {
      // An object's state: what stands in it belongs to the object.
      const pickle_value state[2] = {{.is = kind::mark}, pop()};
      put_pairs(state);
      return true;
    }
    default:
      return false;
  }
}

/// ("storage", type, key, place, elements); torch.serialization, persistent_load().
void pickle_machine::persistent_id() {
  const pickle_value id = pop();
  const auto items = items_of(id);
  if (items.size() < 5 || items[0].text != "storage" || items[1].is != kind::global ||
      items[2].is != kind::text || items[4].is != kind::number)
    return push({});
  push({.is = kind::storage, .number = storages_.size()});
  storages_.push_back({.type = items[1].text, .key = items[2].text, .elements = items[4].number});
}

/// Unknown functions give an object, so that what is put into it later is found.
void pickle_machine::call(const pickle_value& function, const pickle_value& arguments) {
  if (function.is == kind::global) {
    if (rebuild_tensor(function.text, arguments)) return;
    const auto items = items_of(arguments);
    if (function.text.starts_with("_rebuild_parameter") && !items.empty() &&
        items[0].is == kind::view)
      return push(items[0]);
  }
  push_mapping();
}

/// _rebuild_tensor...(storage, first element, shape, strides, ...); the third version has a type as
/// its seventh argument (torch._utils).
bool pickle_machine::rebuild_tensor(std::string_view function, const pickle_value& arguments) {
  const auto items = items_of(arguments);
  if (!function.starts_with("_rebuild_tensor") || items.size() < 4 ||
      items[0].is != kind::storage || items[1].is != kind::number || items[2].is != kind::tuple ||
      items[3].is != kind::tuple)
    return false;
  view seen{.storage = static_cast<std::size_t>(items[0].number),
            .first = items[1].number,
            .shape = items[2],
            .strides = items[3],
            .type = {}};
  if (items.size() > 6 && items[6].is == kind::global) seen.type = items[6].text;
  push({.is = kind::view, .number = views_.size()});
  views_.push_back(seen);
  return true;
}

}  // namespace lmzip::tensors
