#include "codec/model_file.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "codec/parameter_file.h"
#include "core/cursor.h"
#include "core/endian.h"
#include "lmzip/error.h"
#include "model/neural/network_distribution.h"
#include "vocab/shipped.h"

namespace lmzip::codec {
namespace {

using model::neural::body_kind;
using model::neural::stored_layer;
using model::neural::stored_matrix;
using model::neural::stored_model;

constexpr unsigned max_layers = 32;

struct about {
  body_kind kind = body_kind::recurrent;
  bool tied = false;
  int width = 0, layers = 0, mlp = 0, classes = 0;
  int heads = 0, context = 0;
  model_facts facts;
};

std::vector<std::uint8_t> whole_section(const parameter_file& file, const std::string& name) {
  return file.section(name, file.size_of(name));
}

/// Numbers of `Bytes` bytes each, all low bytes first.
template <class Number, std::size_t Bytes>
std::vector<Number> from_planes(std::span<const std::uint8_t> planes, std::size_t count) {
  std::vector<Number> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t value = 0;
    for (std::size_t b = 0; b < Bytes; ++b)
      value |= std::uint32_t{planes[b * count + i]} << (8 * b);
    numbers[i] = static_cast<Number>(value);
  }
  return numbers;
}

template <class Number>
std::vector<Number> numbers(const parameter_file& file, const std::string& name,
                            std::size_t count) {
  return from_planes<Number, sizeof(Number)>(file.section(name, count * sizeof(Number)), count);
}

stored_matrix matrix(const parameter_file& file, const std::string& name, std::size_t rows,
                     int columns, bool with_weights = true) {
  const std::size_t weights = with_weights ? rows * static_cast<std::size_t>(columns) : 0;
  const auto section = file.section(name, 1 + 2 * rows + weights);
  const std::span<const std::uint8_t> bytes(section);
  stored_matrix m;
  m.columns = columns;
  m.shift = bytes[0];
  m.factors = from_planes<std::uint16_t, 2>(bytes.subspan(1), rows);
  m.weights.resize(weights);
  if (weights != 0) std::memcpy(m.weights.data(), bytes.data() + 1 + 2 * rows, weights);
  return m;
}

about read_about(const parameter_file& file) {
  const auto section = whole_section(file, "about");
  cursor in(std::as_bytes(std::span(section)));
  if (in.u16() != detail::model_format)
    throw error(errc::unsupported, "the model needs a newer lmzip");
  about a;
  a.kind = static_cast<body_kind>(in.u8());
  if (a.kind > body_kind::transformer)
    throw error(errc::unsupported, "the model has a body of a newer lmzip");
  const unsigned flags = in.u8();
  a.tied = flags == 1;
  a.width = in.u16();
  a.layers = in.u16();
  a.mlp = in.u16();
  a.classes = in.u16();
  for (hash256* hash : {&a.facts.vocabulary, &a.facts.check}) {
    const auto bytes = in.bytes(hash->size());
    std::copy(bytes.begin(), bytes.end(), hash->begin());
  }
  if (a.kind == body_kind::transformer) {
    a.heads = in.u16();
    a.context = in.u16();
  }
  const auto text = in.bytes(in.remaining());
  a.facts.description.assign(reinterpret_cast<const char*>(text.data()), text.size());
  if (flags > 1 || a.width < 8 || a.width > model::neural::max_width || a.layers < 1 ||
      a.layers > static_cast<int>(max_layers) || a.mlp > model::neural::max_mlp_width ||
      a.classes < 1 || a.classes > static_cast<int>(model::leaf_classes::max_classes) ||
      text.size() > detail::max_description || a.facts.description.find('\n') != std::string::npos)
    throw error(errc::damaged, "the model has a shape that is not possible");
  if (a.facts.vocabulary != vocab::shipped_vocabulary().content_hash())
    throw error(errc::unsupported, "the model is for another vocabulary (" +
                                       to_hex(a.facts.vocabulary).substr(0, 16) + ")");
  return a;
}

stored_layer read_layer(const parameter_file& file, const about& a, int number) {
  const auto d = static_cast<std::size_t>(a.width), m = static_cast<std::size_t>(a.mlp);
  const auto name = [number](const char* part) { return part + std::to_string(number); };
  stored_layer layer;
  if (a.kind == body_kind::transformer) {
    layer.query = matrix(file, name("query"), d, a.width);
    layer.key_value = matrix(file, name("kv"), 2 * d, a.width);
  } else {
    const auto shifts = numbers<std::int16_t>(file, name("shift"), 2 * d);
    layer.shift_now.assign(shifts.begin(), shifts.begin() + a.width);
    layer.shift_before.assign(shifts.begin() + a.width, shifts.end());
    layer.bias = numbers<std::int32_t>(file, name("bias"), 3 * d);
    layer.in = matrix(file, name("in"), 3 * d, a.width);
  }
  layer.out = matrix(file, name("out"), d, a.width);
  if (m != 0) {
    layer.mlp_in = matrix(file, name("mlpi"), m, a.width);
    layer.mlp_out = matrix(file, name("mlpo"), d, a.mlp);
  }
  return layer;
}

stored_model read_numbers(const parameter_file& file, const about& a) {
  const std::size_t leaves = vocab::shipped_vocabulary().size();
  const auto classes = static_cast<std::size_t>(a.classes);
  stored_model stored;
  stored.kind = a.kind;
  stored.width = a.width;
  stored.heads = a.heads;
  stored.context = a.context;
  stored.class_starts = numbers<std::uint16_t>(file, "classes", classes);
  stored.embedding = matrix(file, "embed", leaves + 1, a.width);
  for (int i = 0; i < a.layers; ++i) stored.layers.push_back(read_layer(file, a, i));
  stored.class_rows = matrix(file, "class", classes, a.width);
  stored.class_biases = numbers<std::int32_t>(file, "classb", classes);
  stored.leaf_rows = matrix(file, "leaf", leaves, a.width, !a.tied);
  stored.leaf_biases = numbers<std::int32_t>(file, "leafb", leaves);
  return stored;
}

void check_whole(std::span<const std::byte> file) {
  if (file.size() > largest_model_file) throw error(errc::damaged, "the model file is too large");
  hash256 id{};
  if (file.size() < sizeof(std::uint32_t) + id.size() ||
      load_le<std::uint32_t>(file.data()) != static_cast<std::uint32_t>(file_magic::model))
    throw error(errc::damaged, "this is not a model file");
  const auto end = file.last(id.size());
  std::copy(end.begin(), end.end(), id.begin());
  if (sha256_of(file.first(file.size() - id.size())) != id)
    throw error(errc::damaged, "the model file is corrupt");
}

}  // namespace

std::shared_ptr<const shared_model> read_model(std::span<const std::byte> file) {
  check_whole(file);
  return read_sound_model(file);
}

stored_model read_model_numbers(std::span<const std::byte> file) {
  check_whole(file);
  const auto sections = parameter_file::parse(file, file_magic::model);
  stored_model stored = read_numbers(sections, read_about(sections));
  model::neural::language_model{stored};  // refuses what cannot be run
  return stored;
}

std::shared_ptr<const shared_model> read_sound_model(std::span<const std::byte> file) {
  const auto sections = parameter_file::parse(file, file_magic::model);
  const about a = read_about(sections);
  return std::make_shared<const shared_model>(
      shared_model{sections.content_hash(), file.size(), a.facts,
                   model::neural::language_model(read_numbers(sections, a))});
}

hash256 model_check_hash(const model::neural::language_model& network) {
  constexpr int tokens = 512;
  constexpr std::uint32_t probes = 16;
  model::neural::network_distribution chances(network);
  const std::uint32_t leaves = network.classes().leaves();
  sha256 hasher;
  std::uint32_t random = 1;  // of the linear congruential generator of Numerical Recipes
  const auto draw = [&] { return (random = random * 1664525 + 1013904223) >> 8; };
  for (int i = 0; i < tokens; ++i) {
    for (std::uint32_t probe = 0; probe <= probes; ++probe) {
      const std::uint64_t mass = chances.mass_below(leaves * probe / probes);
      std::array<std::byte, 8> bytes;
      store_le(bytes.data(), mass);
      hasher.update(bytes);
    }
    // Half of the tokens follow from the one before, so that there is something to learn.
    const std::uint32_t next = draw();
    chances.advance((i % 2 == 0 ? next : next >> 12 << 4) % leaves);
  }
  return hasher.finish();
}

}  // namespace lmzip::codec
