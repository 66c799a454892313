#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "app/lmzip/names.h"
#include "app/lmzip/sizes.h"
#include "app/train/evaluation_report.h"
#include "codec/model_file.h"
#include "core/hash.h"

namespace lmzip::train {
namespace {

/// Rows of words under headings; the first `left` columns are set left, the others right.
class table {
 public:
  using row = std::vector<std::string>;

  table(row headings, std::size_t left) : rows_{std::move(headings)}, left_(left) {}

  void add(row cells) { rows_.push_back(std::move(cells)); }

  std::string text(table_style style) const {
    return style == table_style::markdown ? markdown() : plain();
  }

 private:
  std::string plain() const {
    std::vector<std::size_t> widths(rows_.front().size());
    for (const row& r : rows_)
      for (std::size_t i = 0; i < r.size(); ++i)
        widths[i] = std::max(widths[i], app::count_characters(r[i]));
    std::string all;
    for (const row& r : rows_) {
      std::string line;
      for (std::size_t i = 0; i < r.size(); ++i) {
        const std::string space(widths[i] - app::count_characters(r[i]), ' ');
        line += (i > 0 ? "  " : "") + (i < left_ ? r[i] + space : space + r[i]);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      all += line + "\n";
    }
    return all;
  }

  std::string markdown() const {
    std::string all;
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      for (const std::string& cell : rows_[n]) all += "| " + in_markdown(cell) + " ";
      all += "|\n";
      if (n > 0) continue;
      for (std::size_t i = 0; i < rows_[n].size(); ++i) all += i < left_ ? "|---" : "|---:";
      all += "|\n";
    }
    return all;
  }

  static std::string in_markdown(const std::string& cell) {
    std::string text;
    for (const char c : cell) {
      if (c == '\\' || c == '|' || c == '_' || c == '*' || c == '`' || c == '<') text += '\\';
      text += c;
    }
    return text;
  }

  std::vector<row> rows_;
  std::size_t left_;
};

constexpr const char* unknown = "-";

template <class function>
void each_text(const evaluation_report& report, const function& with) {
  for (const text_result& text : report.texts) with(text);
  if (report.texts.size() > 1) with(report.total);
}

table texts_table(const evaluation_report& report) {
  table all({"text", "bytes", "characters", "tokens", "bytes/token"}, 1);
  each_text(report, [&](const text_result& text) {
    const text_size& size = text.size;
    all.add({app::printable(text.name), std::to_string(size.bytes), std::to_string(size.characters),
             std::to_string(size.tokens),
             fmt::format("{:.3f}", compression_ratio(size.bytes, size.tokens))});
  });
  return all;
}

std::string seconds(double all, double network) {
  return network > 0 ? fmt::format("{:.2f} ({:.2f})", all, network) : fmt::format("{:.2f}", all);
}

table coders_table(const evaluation_report& report) {
  table all({"text", "coder", "coded bytes", "ratio", "with model", "bits/char", "bits/byte",
             "bits/token", "equal bytes", "encode s (network)", "decode s (network)"},
            2);
  each_text(report, [&](const text_result& text) {
    for (const coder_result& coder : text.coders) {
      const coding_result& c = coder.coding;
      all.add({app::printable(text.name), coder.name, std::to_string(c.coded_bytes),
               fmt::format("{:.4f}", compression_ratio(text.size.bytes, c.coded_bytes)),
               fmt::format("{:.4f}",
                           compression_ratio(text.size.bytes, c.coded_bytes + coder.model_bytes)),
               fmt::format("{:.4f}", bits_per(c.coded_bytes, text.size.characters)),
               fmt::format("{:.4f}", bits_per(c.coded_bytes, text.size.bytes)),
               fmt::format("{:.4f}", bits_per(c.coded_bytes, c.coded_tokens)),
               fmt::format("{:.6g}", reconstruction_accuracy(c.equal_bytes, text.size.bytes)),
               seconds(c.encode_seconds, c.encode_network_seconds),
               seconds(c.decode_seconds, c.decode_network_seconds)});
    }
  });
  return all;
}

table networks_table(const evaluation_report& report) {
  table all({"text", "network", "nats/token", "bits/token", "perplexity", "KL from uniform",
             "KL from float", "more bits than float"},
            2);
  each_text(report, [&](const text_result& text) {
    for (const network_result& network : text.networks) {
      const chance_sums& c = network.chances;
      const bool compares = text.compares && network.name == name::integer;
      all.add({app::printable(text.name), network.name, fmt::format("{:.5f}", c.cross_entropy()),
               fmt::format("{:.5f}", c.bits_per_token()), fmt::format("{:.3f}", c.perplexity()),
               network.knows_entropy
                   ? fmt::format("{:.4f}", c.divergence_from_uniform(leaves_of(report.models)))
                   : unknown,
               compares
                   ? fmt::format("{:.6f}", text.divergence_nats / static_cast<double>(c.tokens))
                   : unknown,
               compares ? fmt::format("{:.3f} %", loss_percent(c, *text.network(name::floating)))
                        : unknown});
    }
  });
  return all;
}

std::string remarks(const evaluation_report& report) {
  std::string text = fmt::format("archives: lmzip {} level {}\n", version(), report.options.level);
  if (const auto& model = report.models.integer)
    text += fmt::format("integer model: {}, {} bytes\n", to_hex(model->id), model->file_bytes);
  if (!report.checkpoint.empty())
    text += fmt::format("float model: {}, {} weights\n", app::printable(report.checkpoint),
                        weights_of(report.models));
  if (report.options.smu)
    text += fmt::format(
        "smu: 128 streams, each token from the 64 before it; the first 64 of each stream, {} bytes "
        "of text, are not coded, but count as text (smu, all: everything is coded)\n",
        report.total.left_out_bytes);
  return text +
         fmt::format("peak memory of the process: {}\n", app::human_size(report.peak_memory_bytes));
}

}  // namespace

std::string tables_of(const evaluation_report& report, table_style style) {
  const char* const gap = "\n";
  return texts_table(report).text(style) + gap + coders_table(report).text(style) + gap +
         networks_table(report).text(style) + gap + remarks(report);
}

}  // namespace lmzip::train
