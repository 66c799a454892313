// Measures the ratio coder and the delta coder on the tensors of safetensors files: sizes, and
// speeds beside memcpy in the same run. Times are of the thread's processor, best of several runs.
//
//   tensor_ratio FILE...                    each tensor alone
//   tensor_ratio --whole FILE...            all tensors of a type one after the other
//   tensor_ratio --base BASE FILE...        each tensor against the one of that name in BASE
// Options: --bf16, --f16 cast f32 tensors first (the base's too); --isa NAME; --only SUBSTRING of
// names; --chunk N elements (2^20).

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "codec/delta/cast.h"
#include "codec/delta/delta_codec.h"
#include "codec/ratio/ratio_codec.h"
#include "core/cpu.h"
#include "core/endian.h"

using namespace lmzip;

namespace {

using bytes = std::vector<std::byte>;

struct tensor {
  std::string name;
  dtype type;
  std::uint32_t columns;
  bytes data;
};

struct settings {
  std::string base, only;
  bool whole = false;
  std::optional<dtype> cast_to;
  std::size_t chunk = std::size_t{1} << 20;
};

std::vector<tensor> read_file(const std::string& path, const settings& with) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto header_bytes = load_le<std::uint64_t>(text.data());
  const auto header = nlohmann::json::parse(text.substr(8, header_bytes));
  std::vector<tensor> tensors;
  for (const auto& [name, facts] : header.items()) {
    if (name == "__metadata__" || name.find(with.only) == std::string::npos) continue;
    const auto type = dtype_named(facts["dtype"].get<std::string>());
    if (!type) continue;
    const std::size_t begin = facts["data_offsets"][0], end = facts["data_offsets"][1];
    const auto& shape = facts["shape"];
    tensor t{name, *type, shape.size() > 1 ? shape.back().get<std::uint32_t>() : 0, {}};
    const auto* data = reinterpret_cast<const std::byte*>(text.data() + 8 + header_bytes);
    t.data.assign(data + begin, data + end);
    if (with.cast_to && *type == dtype::f32) {
      bytes cast(t.data.size() / 2);
      codec::delta::cast(*type, t.data.data(), t.data.size() / 4, *with.cast_to, cast.data());
      t.data = cast;
      t.type = *with.cast_to;
    }
    if (!t.data.empty()) tensors.push_back(std::move(t));
  }
  return tensors;
}

/// Joins tensors of a type.
std::vector<tensor> joined(const std::vector<tensor>& tensors) {
  std::map<dtype, tensor> by_type;
  for (const tensor& t : tensors) {
    tensor& all = by_type.try_emplace(t.type, tensor{"all", t.type, 0, {}}).first->second;
    all.data.insert(all.data.end(), t.data.begin(), t.data.end());
  }
  std::vector<tensor> result;
  for (auto& [type, all] : by_type) result.push_back(std::move(all));
  return result;
}

double seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double best_time(const std::function<void()>& work) {
  double best = 1e9, spent = 0;
  for (int run = 0; run < 9 && (run < 3 || spent < 1.5); ++run) {
    const double start = seconds();
    work();
    const double took = seconds() - start;
    best = std::min(best, took);
    spent += took;
  }
  return best;
}

struct totals {
  std::size_t plain = 0, coded = 0;
  double encode = 0, decode = 0, copy = 0, estimated = 0;
  bool equal = true;
};

/// Codes a tensor in chunks of whole rows.
void measure(const tensor& t, const bytes* base, dtype base_type, const settings& with,
             totals& sum) {
  const std::size_t element = bits_of(t.type) >= 8 ? bits_of(t.type) / 8 : 1;
  std::size_t chunk = with.chunk * element;
  if (t.columns > 0 && t.columns < with.chunk) chunk -= chunk % (t.columns * element);
  const std::size_t base_element = bits_of(base_type) / 8;
  const auto base_of = [&](std::size_t at, std::size_t size) {
    return codec::delta::base_numbers{
        base_type,
        std::span(*base).subspan(at / element * base_element, size / element * base_element)};
  };
  std::vector<bytes> coded;
  bytes back(t.data.size());
  sum.encode += best_time([&] {
    coded.clear();
    for (std::size_t at = 0; at < t.data.size(); at += chunk) {
      const auto part = std::span(t.data).subspan(at, std::min(chunk, t.data.size() - at));
      coded.push_back(base ? codec::delta::encode(t.type, base_of(at, part.size()), part)
                           : codec::ratio::encode({t.type, t.columns}, part));
    }
  });
  sum.decode += best_time([&] {
    for (std::size_t i = 0; i < coded.size(); ++i) {
      const std::size_t at = i * chunk;
      const auto part = std::span(back).subspan(at, std::min(chunk, back.size() - at));
      base ? codec::delta::decode(coded[i], base_of(at, part.size()), part)
           : codec::ratio::decode(coded[i], part);
    }
  });
  sum.equal = sum.equal && back == t.data;
  sum.copy += best_time([&] {
    std::memcpy(back.data(), t.data.data(), back.size());
    asm volatile("" ::"r"(back.data()) : "memory");
  });
  sum.plain += t.data.size();
  for (const bytes& c : coded) sum.coded += c.size();
}

void report(const std::string& path, const settings& with) {
  std::vector<tensor> tensors = read_file(path, with), bases;
  if (!with.base.empty()) {
    for (tensor& t : tensors) t.columns = 0;
    bases = read_file(with.base, with);
    std::vector<tensor> matched, matched_bases;
    for (tensor& t : tensors)
      for (tensor& b : bases)
        if (b.name == t.name &&
            b.data.size() * bits_of(t.type) == t.data.size() * bits_of(b.type)) {
          matched.push_back(t);
          matched_bases.push_back(b);
        }
    tensors = std::move(matched);
    bases = std::move(matched_bases);
  }
  if (with.whole) {
    tensors = joined(tensors);
    bases = joined(bases);
  }
  std::map<dtype, totals> by_type;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    measure(tensors[i], bases.empty() ? nullptr : &bases[i].data,
            bases.empty() ? tensors[i].type : bases[i].type, with, by_type[tensors[i].type]);
  for (const auto& [type, sum] : by_type) {
    const auto speed = [plain = static_cast<double>(sum.plain)](double time) {
      return plain / time * 1e-9;
    };
    std::printf(
        "%-34s %-8s %9zu bytes  %.4f  in %5.2f (%.2f)  out %5.2f (%.2f)  memcpy %5.1f GB/s%s\n",
        path.substr(path.find_last_of('/') + 1).substr(0, 34).c_str(),
        std::string(name_of(type)).c_str(), sum.plain,
        static_cast<double>(sum.coded) / static_cast<double>(sum.plain), speed(sum.encode),
        sum.copy / sum.encode, speed(sum.decode), sum.copy / sum.decode, speed(sum.copy),
        sum.equal ? "" : "  DIFFERENT");
  }
}

}  // namespace

int main(int argc, char** argv) {
  settings with;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string(); };
    if (word == "--whole")
      with.whole = true;
    else if (word == "--base")
      with.base = value();
    else if (word == "--only")
      with.only = value();
    else if (word == "--chunk")
      with.chunk = std::stoul(value());
    else if (word == "--bf16")
      with.cast_to = dtype::bf16;
    else if (word == "--f16")
      with.cast_to = dtype::f16;
    else if (word == "--isa")
      select_isa(isa_from_name(value()).value_or(best_isa()));
    else
      report(word, with);
  }
  return 0;
}
