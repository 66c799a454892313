#include "app/train/evaluation.h"

#include <algorithm>
#include <chrono>
#include <string_view>

#include "app/lmzip/names.h"
#include "app/train/chance_measure.h"
#include "app/train/network_coder.h"
#include "app/train/smu_windows.h"
#include "codec/model_file.h"
#include "codec/text/leaves.h"
#include "core/io/signals.h"
#include "engine/levels.h"
#include "lmzip/compress.h"
#include "lmzip/decompress.h"
#include "lmzip/error.h"

namespace lmzip::train {
namespace {

using bytes = std::span<const std::byte>;
using clock = std::chrono::steady_clock;

constexpr int least_level_with_model = 8;

double seconds_since(clock::time_point begin) {
  return std::chrono::duration<double>(clock::now() - begin).count();
}

std::string_view characters(bytes text) {
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

/// Measures one text with one set of models.
class measurement {
 public:
  measurement(const std::string& name, bytes text, const measured_models& models,
              const evaluation_options& options, const stage_report& report)
      : text_(text),
        models_(models),
        options_(options),
        report_(report),
        plan_(engine::plan_level(options.level)),
        block_bytes_(options.block_bytes != 0 ? options.block_bytes : plan_.block_bytes) {
    result_.name = name;
    result_.size = {text.size(), app::count_characters(characters(text)), 0};
  }

  text_result run() {
    measure_chances();
    if (models_.integer != nullptr) {
      add_alone(name::alone, false);
      add_alone(name::adapting, true);
    }
    add_archive();
    if (options_.smu) add_windows();
    return result_;
  }

 private:
  /// Of the distributions as they are, and of tokens as the codec cuts them.
  void measure_chances() {
    constexpr const char* stage = "what the network guesses";
    report_(stage, 0);
    const chance_measure measure(models_.integer ? &models_.integer->network : nullptr,
                                 models_.floating.get(), models_.device);
    text_chances sums;
    for (bytes rest = text_; !rest.empty();) {
      const auto block = take_bytes(rest, std::min<std::uint64_t>(block_bytes_, rest.size()));
      const auto leaves = codec::text::leaves_of_tokens(block);
      result_.size.tokens += leaves.size();
      const text_chances more = measure.measure(leaves, [&](double done) {
        const auto left =
            static_cast<double>(rest.size()) + (1 - done) * static_cast<double>(block.size());
        report_(stage, 1 - left / static_cast<double>(text_.size()));
      });
      sums.integer += more.integer;
      sums.floating += more.floating;
      sums.divergence_nats += more.divergence_nats;
    }
    if (models_.integer) result_.networks.push_back({name::integer, sums.integer, true});
    if (models_.floating) result_.networks.push_back({name::floating, sums.floating, true});
    result_.compares = models_.integer && models_.floating;
    result_.divergence_nats = sums.divergence_nats;
  }

  void add_alone(const char* name, bool adapts) {
    report_(adapts ? "the network alone, adapting" : "the network alone", 0);
    const network_coding coded = code_alone(models_.integer->network, text_, block_bytes_, adapts);
    result_.coders.push_back({name, coded.result, models_.integer->file_bytes});
    if (adapts) result_.networks.push_back({name, coded.chances, false});
  }

  void add_archive() {
    report_("archive", 0);
    compress_options options{.level = options_.level, .block_bytes = options_.block_bytes};
    if (options_.level >= least_level_with_model) options.model = plan_.ways.model;
    if (options.model != nullptr && models_.integer != nullptr) options.model = models_.integer;
    coder_result archive{name::archive, {}, options.model ? options.model->file_bytes : 0};
    auto begin = clock::now();
    const auto coded = compress(text_, options);
    archive.coding.encode_seconds = seconds_since(begin);
    archive.coding.coded_bytes = coded.size();
    archive.coding.coded_tokens = result_.size.tokens;
    begin = clock::now();
    const auto model = options.model;
    const auto decoded = decompress(coded, {.find_model = [&](const model_id&) { return model; }});
    archive.coding.decode_seconds = seconds_since(begin);
    archive.coding.equal_bytes = equal_bytes(text_, decoded);
    result_.coders.push_back(archive);
    io::throw_if_interrupted();
  }

  void add_windows() {
    const auto model = models_.floating ? windows_of(*models_.floating, models_.device)
                                        : windows_of(models_.integer->network);
    constexpr const char* stage = "windows of 64 tokens";
    report_(stage, 0);
    const smu_result coded =
        code_by_windows(text_, *model, [this](double done) { report_(stage, done); });
    const std::uint64_t model_bytes = models_.integer != nullptr ? models_.integer->file_bytes : 0;
    result_.coders.push_back({name::smu, coded.usual, model_bytes});
    result_.coders.push_back({name::smu_all, coded.all, model_bytes});
    result_.networks.push_back({name::smu, coded.chances, true});
    result_.left_out_bytes = coded.left_out_bytes;
  }

  bytes text_;
  const measured_models& models_;
  const evaluation_options& options_;
  const stage_report& report_;
  engine::level_plan plan_;
  std::uint64_t block_bytes_;
  text_result result_;
};

}  // namespace

text_result& text_result::operator+=(const text_result& other) {
  if (coders.empty()) {
    const std::string own = name;
    *this = other;
    name = own;
    return *this;
  }
  size += other.size;
  for (std::size_t i = 0; i < coders.size(); ++i) coders[i].coding += other.coders[i].coding;
  for (std::size_t i = 0; i < networks.size(); ++i)
    networks[i].chances += other.networks[i].chances;
  divergence_nats += other.divergence_nats;
  left_out_bytes += other.left_out_bytes;
  return *this;
}

const chance_sums* text_result::network(const std::string& of) const noexcept {
  for (const network_result& each : networks)
    if (each.name == of) return &each.chances;
  return nullptr;
}

bytes part_of_text(bytes text, const evaluation_options& options) {
  auto begin = text.begin();
  std::uint64_t line = 1;
  const auto behind_line = [&] {
    const auto end = std::find(begin, text.end(), std::byte{'\n'});
    return end == text.end() ? end : end + 1;
  };
  for (; line < options.first_line && begin != text.end(); ++line) begin = behind_line();
  const auto first = begin;
  for (; line <= options.last_line && begin != text.end(); ++line) begin = behind_line();
  const bytes lines(first, begin);
  return options.limit == 0 ? lines
                            : lines.first(static_cast<std::size_t>(
                                  std::min<std::uint64_t>(options.limit, lines.size())));
}

text_result evaluate(const std::string& name, bytes text, const measured_models& models,
                     const evaluation_options& options, const stage_report& report) {
  bytes part = part_of_text(text, options);
  std::vector<std::byte> joined;
  if (options.smu) {
    joined = smu_text(part);
    part = joined;
  }
  if (part.empty()) throw error(errc::usage, "there is nothing in it to measure");
  return measurement(name, part, models, options, report).run();
}

}  // namespace lmzip::train
