#include "app/train/evaluation_report.h"

#include <algorithm>

#include "app/lmzip/json.h"
#include "app/lmzip/names.h"
#include "app/train/network_coder.h"
#include "app/train/smu_windows.h"
#include "app/train/svg_picture.h"
#include "codec/model_file.h"
#include "core/cpu.h"
#include "core/hash.h"
#include "vocab/shipped.h"

namespace lmzip::train {
namespace {

using app::json;

json of_size(const text_size& size) {
  return {{"bytes", size.bytes}, {"characters", size.characters}, {"tokens", size.tokens}};
}

json of_coder(const coder_result& coder, const text_size& size) {
  const coding_result& c = coder.coding;
  json object = {{"coded_bytes", c.coded_bytes},
                 {"coded_tokens", c.coded_tokens},
                 {"model_bytes", coder.model_bytes},
                 {"compression_ratio", compression_ratio(size.bytes, c.coded_bytes)},
                 {"compression_ratio_with_model",
                  compression_ratio(size.bytes, c.coded_bytes + coder.model_bytes)},
                 {"bits_per_character", bits_per(c.coded_bytes, size.characters)},
                 {"bits_per_byte", bits_per(c.coded_bytes, size.bytes)},
                 {"bits_per_token", bits_per(c.coded_bytes, c.coded_tokens)},
                 {"reconstruction_accuracy", reconstruction_accuracy(c.equal_bytes, size.bytes)},
                 {"encode_seconds", c.encode_seconds},
                 {"decode_seconds", c.decode_seconds}};
  if (c.encode_network_seconds > 0) {
    object["encode_network_seconds"] = c.encode_network_seconds;
    object["decode_network_seconds"] = c.decode_network_seconds;
  }
  return object;
}

json of_network(const network_result& network, std::uint32_t leaves) {
  const chance_sums& c = network.chances;
  json object = {{"tokens", c.tokens},
                 {"cross_entropy_nats_per_token", c.cross_entropy()},
                 {"bits_per_token", c.bits_per_token()},
                 {"perplexity", c.perplexity()}};
  if (network.knows_entropy)
    object["kl_from_uniform_nats_per_token"] = c.divergence_from_uniform(leaves);
  return object;
}

/// A name of a coder as a key.
std::string key_of(const std::string& coder) { return coder == name::smu_all ? "smu_all" : coder; }

json of_text(const text_result& text, std::uint32_t leaves) {
  json object;
  app::add_name(object, "name", text.name);
  object.update(of_size(text.size));
  object["coders"] = json::object();
  object["networks"] = json::object();
  for (const coder_result& coder : text.coders)
    object["coders"][key_of(coder.name)] = of_coder(coder, text.size);
  for (const network_result& network : text.networks)
    object["networks"][key_of(network.name)] = of_network(network, leaves);
  if (text.compares) {
    const chance_sums& rounded = *text.network(name::integer);
    object["kl_float_integer_nats_per_token"] =
        text.divergence_nats / static_cast<double>(rounded.tokens);
    object["integer_loss_percent"] = loss_percent(rounded, *text.network(name::floating));
  }
  if (text.left_out_bytes > 0) object["smu_left_out_bytes"] = text.left_out_bytes;
  return object;
}

json of_settings(const evaluation_report& report) {
  const evaluation_options& o = report.options;
  json settings = {{"lmzip_version", version()},
                   {"level", o.level},
                   {"block_bytes", o.block_bytes},
                   {"limit_bytes", o.limit},
                   {"instruction_set", isa_name(active_isa())},
                   {"leaves", leaves_of(report.models)},
                   {"frequency_total", leaf_frequencies::total}};
  if (o.first_line > 1 || o.last_line != evaluation_options{}.last_line)
    settings["lines"] = {o.first_line, o.last_line};
  if (o.smu)
    settings["smu"] = {{"context_tokens", smu_context},
                       {"stride_tokens", 1},
                       {"streams", smu_streams},
                       {"frequency_total", smu_total}};
  if (const auto& model = report.models.integer)
    settings["integer_model"] = {{"id", to_hex(model->id)},
                                 {"file_bytes", model->file_bytes},
                                 {"weights", model->network.parameters()},
                                 {"multiplications_per_token", model->network.work()}};
  if (const auto& model = report.models.floating) {
    const body_shape& body = model->shape();
    json object;
    app::add_name(object, "checkpoint", report.checkpoint);
    object.update(json{{"body", body.kind},
                       {"width", body.width},
                       {"layers", body.layers},
                       {"weights", weights_of(report.models)},
                       {"multiplications_per_token", model->work()}});
    settings["float_model"] = object;
  }
  return settings;
}

struct bar_kind {
  const char* coder;
  const char* color;
};
constexpr bar_kind bar_kinds[] = {
    {name::alone, "#8ab"}, {name::adapting, "#484"}, {name::archive, "#c40"}};

}  // namespace

std::string version() { return LMZIP_VERSION; }

std::uint32_t leaves_of(const measured_models& models) {
  if (models.integer) return models.integer->network.classes().leaves();
  return static_cast<std::uint32_t>(vocab::shipped_vocabulary().size());
}

std::uint64_t weights_of(const measured_models& models) {
  std::uint64_t count = 0;
  if (models.floating)
    for (const torch::Tensor& part : models.floating->parameters())
      count += static_cast<std::uint64_t>(part.numel());
  return count;
}

std::string json_of(const evaluation_report& report) {
  const std::uint32_t leaves = leaves_of(report.models);
  json all = {{"settings", of_settings(report)}, {"texts", json::array()}};
  for (const text_result& text : report.texts) all["texts"].push_back(of_text(text, leaves));
  all["total"] = of_text(report.total, leaves);
  all["peak_memory_bytes"] = report.peak_memory_bytes;
  return app::to_line(all);
}

std::string picture_of(const evaluation_report& report) {
  constexpr double left = 48, right = 16, bottom = 300, top = 36, bar = 14, group = 60;
  std::vector<const text_result*> texts;
  for (const text_result& text : report.texts) texts.push_back(&text);
  if (texts.size() > 1) texts.push_back(&report.total);
  double most = 0;
  for (const text_result* text : texts)
    for (const coder_result& coder : text->coders)
      most = std::max(most, bits_per(coder.coding.coded_bytes, text->size.bytes));
  const svg_axis y = svg_axis(0, most, bottom, top, 6).rounded();
  const double width = std::max(left + group * static_cast<double>(texts.size()) + right, 400.0);
  svg_picture drawn(width, 420);
  drawn.levels(y, left, width - right);
  drawn.words(left, 20, "start", "bits a byte:");
  double at = left + 80;
  for (const bar_kind& kind : bar_kinds) {
    drawn.words(at, 20, "start", kind.coder, kind.color);
    at += 70;
  }
  double x = left + 8;
  for (const text_result* text : texts) {
    for (const coder_result& coder : text->coders)
      for (std::size_t i = 0; i < std::size(bar_kinds); ++i)
        if (coder.name == bar_kinds[i].coder) {
          const double bits = bits_per(coder.coding.coded_bytes, text->size.bytes);
          drawn.bar(x + static_cast<double>(i) * bar, y(bits), bar - 1, bottom - y(bits),
                    bar_kinds[i].color);
        }
    drawn.slanted_words(x + 1.5 * bar, bottom + 14, app::printable(app::base_name(text->name)));
    x += group;
  }
  drawn.line(left, bottom, width - right, bottom, "#888");
  return drawn.finished();
}

}  // namespace lmzip::train
