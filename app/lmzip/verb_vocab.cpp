#include "app/lmzip/verb_vocab.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cxxopts.hpp>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "app/lmzip/messages.h"
#include "app/lmzip/names.h"
#include "app/lmzip/output.h"
#include "app/lmzip/sizes.h"
#include "codec/parameter_training.h"
#include "core/io/file.h"
#include "core/io/file_stream.h"
#include "core/io/signals.h"
#include "core/io/temporary_file.h"
#include "vocab/shipped.h"
#include "vocab/tokenizer.h"
#include "vocab/trainer.h"

namespace lmzip::app {
namespace {

using vocab::token_id;
using vocab::vocabulary;

constexpr std::string_view vocab_help =
    R"(Usage: lmzip vocab train TEXT... -o FILE [--size=N] [-f]
       lmzip vocab show [FILE] [--id=N]
       lmzip vocab tokenize [FILE] [--count] [--vocabulary=FILE]
       lmzip vocab parameters TEXT --bytes=FILE -o FILE [-f]

train     makes a vocabulary of N tokens (default 16384, at least 256) from texts whose documents
          end with zero bytes, and writes it to FILE; -f replaces FILE if it exists
show      lists the tokens of the vocabulary FILE, or of the built-in one: number, length, depth in
          the token tree, bytes; first a summary
tokenize  cuts FILE, or standard input, into tokens in blocks of 16 MiB, one token a line: number
          and bytes; with --count only says how many
parameters
          trains what the codecs know beforehand, which belongs to the built-in vocabulary: on TEXT,
          whose documents end with zero bytes, and on the file of --bytes for binaries
)";

constexpr std::size_t block_bytes = std::size_t{16} << 20;
constexpr std::size_t write_bytes = std::size_t{1} << 20;

struct request {
  std::string command;
  std::vector<std::string> files;
  std::optional<std::string> output;
  std::optional<std::string> vocabulary_file;
  std::optional<std::string> bytes_file;
  std::optional<token_id> id;
  std::size_t size = vocab::max_tokens;
  bool count = false;
  bool force = false;
  bool help = false;
};

std::uint64_t number_of(const std::string& option, const std::string& value, std::uint64_t least,
                        std::uint64_t most) {
  const auto number = parse_number(value);
  if (number && *number >= least && *number <= most) return *number;
  throw error(errc::usage, fmt::format("--{}={}: not a number from {} to {}", option,
                                       printable(value), least, most));
}

cxxopts::ParseResult parse_words(std::span<const std::string> arguments) {
  cxxopts::Options options("lmzip vocab");
  const auto text = [] { return cxxopts::value<std::string>(); };
  options.add_options()("o,output", "", text())("size", "", text())("id", "", text())(
      "vocabulary", "", text())("bytes", "", text())("count", "")("f,force", "")("h,help", "");
  std::vector<const char*> words = {"lmzip vocab"};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  try {
    return options.parse(static_cast<int>(words.size()), words.data());
  } catch (const cxxopts::exceptions::exception& failure) {
    throw error(errc::usage, fmt::format("vocab: {}", printable(failure.what())));
  }
}

/// Throws error(usage) for an option that `command` does not have.
void check_options(const request& asked) {
  const bool parameters = asked.command == "parameters";
  const bool trains = asked.command == "train" || parameters;
  const bool shows = asked.command == "show";
  const bool tokenizes = asked.command == "tokenize";
  constexpr std::string_view commands = "train, show, tokenize or parameters";
  if (asked.command.empty()) {
    throw error(errc::usage, fmt::format("vocab: no command given ({})", commands));
  }
  if (!trains && !shows && !tokenizes) {
    throw error(errc::usage,
                fmt::format("vocab: {} is not a command ({})", printable(asked.command), commands));
  }
  const auto refuse = [&](bool given, std::string_view what) {
    if (given) throw error(errc::usage, fmt::format("vocab {}: {}", asked.command, what));
  };
  refuse(trains && asked.files.empty(), "no text given");
  refuse(trains && !asked.output, "no output file given (-o FILE)");
  refuse(parameters && !asked.bytes_file, "no file for the byte mode given (--bytes=FILE)");
  refuse(!trains && (asked.output || asked.force), "-o and -f are for training");
  refuse(!parameters && asked.bytes_file, "--bytes is for vocab parameters");
  refuse(!shows && asked.id, "--id is for vocab show");
  refuse(!tokenizes && (asked.count || asked.vocabulary_file),
         "--count and --vocabulary are for vocab tokenize");
  refuse(asked.command != "train" && asked.files.size() > 1, "more than one file given");
}

request parse_request(std::span<const std::string> arguments) {
  const cxxopts::ParseResult words = parse_words(arguments);
  request asked;
  asked.help = words.count("help") != 0;
  if (asked.help) return asked;
  asked.files = words.unmatched();
  if (!asked.files.empty()) {
    asked.command = asked.files.front();
    asked.files.erase(asked.files.begin());
  }
  const auto value = [&](const char* name) -> std::optional<std::string> {
    if (words.count(name) == 0) return std::nullopt;
    return words[name].as<std::string>();
  };
  asked.output = value("output");
  asked.vocabulary_file = value("vocabulary");
  asked.bytes_file = value("bytes");
  asked.count = words.count("count") != 0;
  asked.force = words.count("force") != 0;
  if (const auto size = value("size")) {
    asked.size = number_of("size", *size, vocab::byte_tokens, vocab::max_tokens);
  }
  if (const auto id = value("id")) {
    asked.id = static_cast<token_id>(number_of("id", *id, 0, vocab::max_tokens - 1));
  }
  check_options(asked);
  return asked;
}

io::file open_text(const std::string& path) {
  return path == "-" ? io::file::standard_input() : io::file::open_for_reading(path, true);
}

/// Fills `block` from the front as far as the file goes; shortens it at the end of the file.
void read_block(io::file_source& from, std::vector<std::byte>& block, std::size_t bytes) {
  block.resize(bytes);
  std::size_t filled = 0;
  while (filled < bytes) {
    const std::size_t got = from.read(std::span(block).subspan(filled));
    if (got == 0) break;
    filled += got;
  }
  block.resize(filled);
}

vocabulary read_vocabulary(const std::string& path) {
  io::file handle = open_text(path);
  io::file_source from(handle);
  std::vector<std::byte> bytes;
  read_block(from, bytes, vocab::max_file_bytes + 1);
  if (bytes.size() > vocab::max_file_bytes) {
    throw error(errc::damaged, fmt::format("{}: not a vocabulary file", printable(path)));
  }
  try {
    return vocabulary::parse(bytes);
  } catch (const error& failure) {
    throw error(failure.code(), fmt::format("{}: {}", printable(path), failure.what()),
                failure.offset());
  }
}

/// Calls `action` with the vocabulary in `path`, or the built-in one.
void with_vocabulary(const std::optional<std::string>& path,
                     const std::function<void(const vocabulary&)>& action) {
  path ? action(read_vocabulary(*path)) : action(vocab::shipped_vocabulary());
}

std::string printable_bytes(const vocabulary& words, token_id token) {
  const auto bytes = words.bytes(token);
  return printable({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string token_line(const vocabulary& words, token_id token) {
  return fmt::format("{}\t{}\t{}\t{}\n", token, words.bytes(token).size(),
                     words.depth(words.leaf_of_token(token)), printable_bytes(words, token));
}

std::string summary(const vocabulary& words) {
  std::size_t bytes = 0;
  std::size_t longest = 0;
  unsigned deepest = 0;
  for (std::size_t t = 0; t < words.size(); ++t) {
    const std::size_t length = words.bytes(static_cast<token_id>(t)).size();
    bytes += length;
    longest = std::max(longest, length);
    deepest = std::max(deepest, words.depth(t));
  }
  return fmt::format(
      "# content hash {}\n# {} tokens of {} bytes, longest {} bytes, deepest leaf {}\n"
      "# number, length, depth, bytes\n",
      to_hex(words.content_hash()), words.size(), bytes, longest, deepest);
}

/// Where a training writes to: fails at once if the result has nowhere to go.
class result_file {
 public:
  explicit result_file(const request& asked)
      : force_(asked.force), out_(checked(*asked.output, asked.force)) {}

  void write(std::span<const std::byte> result) {
    out_.handle().write(result);
    out_.handle().set_mode(io::new_file_mode());
    out_.commit(force_, false);
  }

 private:
  static const std::string& checked(const std::string& path, bool force) {
    if (!force && io::status_of(path, false)) {
      throw io::file_error::with_text(path, "already exists (use -f to replace it)");
    }
    return path;
  }

  bool force_;
  io::temporary_file out_;
};

void train(const request& asked) {
  result_file result(asked);
  vocab::trainer trainer(asked.size);
  for (const std::string& path : asked.files) {
    io::file text = open_text(path);
    io::file_source from(text);
    trainer.add(from);
  }
  result.write(trainer.train());
}

std::vector<std::byte> contents_of(const std::string& path) {
  io::file handle = open_text(path);
  io::file_source from(handle);
  std::vector<std::byte> all;
  std::vector<std::byte> block;
  do {
    read_block(from, block, block_bytes);
    all.insert(all.end(), block.begin(), block.end());
  } while (block.size() == block_bytes);
  return all;
}

void train_parameters(const request& asked, messages& notes) {
  result_file result(asked);
  const std::vector<std::byte> text = contents_of(asked.files.front());
  const std::vector<std::byte> bytes = contents_of(*asked.bytes_file);
  const bool watched = io::file::standard_error().is_terminal();
  result.write(codec::train_parameter_file({text, bytes}, [&](const std::string& section) {
    if (watched) notes.note("", "training " + section);
  }));
}

void show(const request& asked, standard_output& out) {
  const auto path = asked.files.empty() ? std::nullopt : std::optional(asked.files.front());
  with_vocabulary(path, [&](const vocabulary& words) {
    if (asked.id) {
      if (*asked.id >= words.size()) {
        throw error(errc::usage,
                    fmt::format("--id={}: there are {} tokens", *asked.id, words.size()));
      }
      return out.write(token_line(words, *asked.id));
    }
    std::string text = summary(words);
    for (std::size_t t = 0; t < words.size(); ++t) {
      text += token_line(words, static_cast<token_id>(t));
    }
    out.write(text);
  });
}

void write_tokens(const vocabulary& words, std::span<const token_id> tokens, standard_output& out) {
  std::string text;
  for (const token_id t : tokens) {
    text += fmt::format("{}\t{}\n", t, printable_bytes(words, t));
    if (text.size() < write_bytes) continue;
    out.write(text);
    text.clear();
  }
  out.write(text);
}

void tokenize(const request& asked, standard_output& out) {
  io::file handle = open_text(asked.files.empty() ? "-" : asked.files.front());
  io::file_source from(handle);
  with_vocabulary(asked.vocabulary_file, [&](const vocabulary& words) {
    vocab::tokenizer tokenizer(words);
    std::vector<std::byte> block;
    std::vector<token_id> tokens;
    std::uint64_t all_bytes = 0;
    std::uint64_t all_tokens = 0;
    do {
      read_block(from, block, block_bytes);
      tokenizer.encode(block, tokens);
      all_bytes += block.size();
      all_tokens += tokens.size();
      if (!asked.count) write_tokens(words, tokens, out);
    } while (block.size() == block_bytes);
    if (!asked.count) return;
    const double ratio =
        all_tokens == 0 ? 0 : static_cast<double>(all_bytes) / static_cast<double>(all_tokens);
    out.write(
        fmt::format("{} bytes, {} tokens, {:.3f} bytes per token\n", all_bytes, all_tokens, ratio));
  });
}

void run(const request& asked, standard_output& out, messages& notes) {
  if (asked.help) return out.write(vocab_help);
  if (asked.command == "train") return train(asked);
  if (asked.command == "parameters") return train_parameters(asked, notes);
  if (asked.command == "show") return show(asked, out);
  tokenize(asked, out);
}

}  // namespace

int run_vocab(std::span<const std::string> arguments) {
  const request asked = parse_request(arguments);
  messages out(0);
  try {
    const io::signal_watch watch;
    standard_output to_stdout;
    run(asked, to_stdout, out);
    to_stdout.finish();
  } catch (...) {
    out.report(std::current_exception(), "");
  }
  if (const int signal = io::pending_signal()) io::die_by_signal(signal);
  return out.status().value(false);
}

}  // namespace lmzip::app
