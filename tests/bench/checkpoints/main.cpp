// Writes a made-up checkpoint of any size to standard output, as one safetensors file: a language
// model of the Llama kind, with tied embeddings stored twice, masks, position ids and, if wanted,
// Adam's moments; or the next step of training of such a file. The bytes depend on the arguments
// only (and on the C library's exp and pow).

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cxxopts.hpp>
#include <exception>
#include <stdexcept>
#include <string>

#include "bench/checkpoints/model_shape.h"
#include "bench/checkpoints/rows.h"
#include "codec/delta/cast.h"
#include "core/io/file.h"
#include "formats/tensors/detect.h"

namespace {

using namespace checkpoints;
using lmzip::dtype;

void write(std::span<const std::byte> bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size())
    throw std::runtime_error("cannot write");
}

void write(const std::string& text) { write(std::as_bytes(std::span(text))); }

std::uint64_t bytes_in(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const std::string unit = end;
  const double times = unit.empty()  ? 1
                       : unit == "k" ? 1e3
                       : unit == "M" ? 1e6
                       : unit == "G" ? 1e9
                                     : 0;
  if (times == 0 || !(number > 0 && number < 1e15))
    throw std::runtime_error(text + ": not a size (such as 100M)");
  return static_cast<std::uint64_t>(number * times);
}

dtype type_in(const std::string& text) {
  for (const dtype known : {dtype::bf16, dtype::f16, dtype::f32})
    if (text == lmzip::name_of(known)) return known;
  throw std::runtime_error(text + ": not a type (BF16, F16 or F32)");
}

void write_new(const std::vector<made_tensor>& tensors, std::uint64_t seed) {
  write(safetensors_header(tensors));
  std::vector<std::byte> row;
  for (const made_tensor& t : tensors) {
    row_maker maker(t, seed);
    row.resize(t.row_bytes());
    for (std::uint64_t i = 0; i < t.rows; ++i) {
      maker.make(i, row);
      write(row);
    }
  }
}

/// The standard deviation of what stands at the front of a tensor.
double spread_of(const lmzip::tensors::random_input& in, const lmzip::tensors::tensor& t) {
  std::vector<std::byte> stored(std::min<std::uint64_t>(t.bytes, 1 << 18));
  read_fully(in, t.offset, stored);
  std::vector<float> numbers(stored.size() / (lmzip::bits_of(t.type) / 8));
  lmzip::codec::delta::cast(t.type, stored.data(), numbers.size(), dtype::f32,
                            reinterpret_cast<std::byte*>(numbers.data()));
  double sum = 0, squares = 0;
  for (const float x : numbers) sum += x, squares += double{x} * x;
  const double count = std::max<double>(static_cast<double>(numbers.size()), 1);
  return std::sqrt(std::max(squares / count - sum / count * (sum / count), 1e-16));
}

made_tensor trained_tensor(const lmzip::tensors::random_input& in,
                           const lmzip::tensors::tensor& t) {
  made_tensor m{.name = t.name, .type = t.type, .shape = t.shape};
  m.same_as = t.name == "lm_head.weight" ? "model.embed_tokens.weight" : t.name;
  const bool is_trained = (t.type == dtype::bf16 || t.type == dtype::f16 || t.type == dtype::f32) &&
                          t.name.find("inv_freq") == std::string::npos;
  if (t.name.find("exp_avg_sq") != std::string::npos)
    m.by = filling::second_moments;
  else if (t.name.find("exp_avg") != std::string::npos)
    m.by = filling::first_moments;
  if (!is_trained) {
    m.by = filling::same_as_before_step;
    m.type = dtype::u8;
  }
  const std::uint64_t element = lmzip::bits_of(m.type) / 8;
  m.columns = t.shape.size() < 2 || !is_trained ? t.bytes / element : t.shape.back();
  m.rows = m.columns == 0 ? 0 : t.bytes / (m.columns * element);
  if (is_trained) m.spread = spread_of(in, t);
  return m;
}

void write_next(const std::string& path, std::uint64_t seed, const training_step& step) {
  lmzip::io::file file = lmzip::io::file::open_for_reading(path, true);
  const lmzip::tensors::random_input in = lmzip::tensors::input_of(file);
  const lmzip::tensors::tensor_layout layout = lmzip::tensors::read_layout(in);
  if (layout.format != lmzip::tensors::format_kind::safetensors)
    throw std::runtime_error(path + ": not a safetensors file");
  std::vector<std::byte> before, after;
  for (const lmzip::tensors::range& r : ranges_of(layout)) {
    if (r.tensor == lmzip::tensors::no_tensor) {
      before.resize(r.bytes);
      read_fully(in, r.offset, before);
      write(before);
      continue;
    }
    const made_tensor t = trained_tensor(in, layout.tensors[r.tensor]);
    row_maker maker(t, seed);
    before.resize(t.row_bytes());
    after.resize(t.row_bytes());
    for (std::uint64_t i = 0; i < t.rows; ++i) {
      read_fully(in, r.offset + i * t.row_bytes(), before);
      maker.train(i, before, step, after);
      write(after);
    }
  }
}

}  // namespace

int main(int argc, char** argv) try {
  cxxopts::Options options("lmzip-make-checkpoint",
                           "Writes a made-up checkpoint (safetensors) to standard output.\n");
  options.add_options()("size", "bytes of the file, about, such as 6G",
                        cxxopts::value<std::string>())(
      "type", "of the weights: BF16, F16 or F32",
      cxxopts::value<std::string>()->default_value("BF16"))("moments", "with Adam's moments")(
      "after", "the next step of training of this file", cxxopts::value<std::string>())(
      "update", "size of updates, over that of the weights",
      cxxopts::value<double>()->default_value("0.003"))(
      "touched", "share of the embedding's rows that change",
      cxxopts::value<double>()->default_value("0.4"))(
      "seed", "another number makes other numbers",
      cxxopts::value<std::uint64_t>()->default_value("1"))("help", "print this");
  const auto words = options.parse(argc, argv);
  if (words.count("help") != 0 || words.count("size") + words.count("after") != 1) {
    std::fputs((options.help() + "\nGive --size or --after.\n").c_str(), stderr);
    return words.count("help") != 0 ? 0 : 1;
  }
  const auto seed = words["seed"].as<std::uint64_t>();
  if (words.count("after") != 0)
    write_next(words["after"].as<std::string>(), seed,
               {words["update"].as<double>(), words["touched"].as<double>()});
  else
    write_new(model_of(bytes_in(words["size"].as<std::string>()),
                       type_in(words["type"].as<std::string>()), words.count("moments") != 0),
              seed);
  if (std::fflush(stdout) != 0) throw std::runtime_error("cannot write");
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "lmzip-make-checkpoint: %s\n", e.what());
  return 1;
}
