#include "engine/base_pool.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/endian.h"
#include "lmzip/error.h"

namespace lmzip::engine {
namespace {

// Of a tensor: names, places in the tables and their overhead.
constexpr std::uint64_t tables_bytes_a_tensor = 256;

constexpr std::size_t hashed_at_a_time = std::size_t{1} << 20;

/// Runs `action` and lets errors name the file.
template <typename Action>
auto naming(const std::string& name, Action action) {
  try {
    return action();
  } catch (const io::file_error&) {
    throw;
  } catch (const error& cause) {
    throw error(cause.code(), "base " + name + ": " + cause.what());
  }
}

/// Whether the failure says something about the bytes, not about the machine.
bool is_about_bytes(errc code) noexcept {
  return code == errc::damaged || code == errc::truncated || code == errc::unsupported ||
         code == errc::missing;
}

std::uint64_t alike_key(dtype type, std::uint64_t shape_hash) noexcept {
  return shape_hash * 32 + static_cast<std::uint64_t>(type);
}

base_tensor entry_for(const tensors::tensor& t, std::size_t file) {
  base_tensor entry;
  entry.name = t.name;
  entry.type = t.type;
  entry.elements = t.bytes * 8 / bits_of(t.type);
  entry.shape_hash = hash_of_shape(t.shape);
  entry.offset = t.offset;
  entry.bytes = t.bytes;
  entry.file = static_cast<std::uint32_t>(file);
  return entry;
}

}  // namespace

std::uint64_t hash_of_shape(std::span<const std::uint64_t> shape) noexcept {
  std::vector<std::byte> bytes(8 * shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) store_le(bytes.data() + 8 * i, shape[i]);
  return xxh3_64(bytes);
}

std::size_t base_pool::key_hash::operator()(const hash256& hash) const noexcept {
  std::size_t first = 0;
  std::memcpy(&first, hash.data(), sizeof first);
  return first;
}

base_pool::base_pool(std::vector<base_input> inputs, const base_options& options) {
  if (inputs.empty()) throw error(errc::usage, "a base without files");
  open(std::move(inputs), options);
  for (std::size_t i = 0; i < files_.size(); ++i)
    naming(files_[i]->name(), [&] { add_tensors(i); });
  index_names();
  for (const base_tensor& t : tensors_) memory_ += tables_bytes_a_tensor + t.name.size();
}

void base_pool::open(std::vector<base_input> inputs, const base_options& options) {
  archive_reader_options reading;
  std::size_t archives = 0;
  for (const base_input& input : inputs)
    if (input.from != nullptr && is_archive(*input.from)) ++archives;
  reading.cache_bytes = options.cache_bytes / std::max<std::size_t>(archives, 1);
  reading.memory_limit = options.memory_limit;
  reading.find_model = options.find_model;
  reading.base = base_handle(base_handle(), this);  // the files belong to the pool
  for (base_input& input : inputs) {
    const std::string name = input.name;
    naming(name, [&] { files_.push_back(std::make_unique<base_file>(std::move(input), reading)); });
    memory_ += files_.back()->memory() + reading.cache_bytes * files_.back()->is_archive();
  }
  ranks_.resize(files_.size());
  std::iota(ranks_.begin(), ranks_.end(), std::size_t{0});
  std::stable_sort(ranks_.begin(), ranks_.end(), [this](std::size_t a, std::size_t b) {
    return files_[a]->depth() < files_[b]->depth();
  });
  std::vector<std::unique_ptr<base_file>> sorted;
  for (const std::size_t rank : ranks_) sorted.push_back(std::move(files_[rank]));
  files_ = std::move(sorted);
  depth_ = files_.back()->depth();
}

/// Makes the tensors of a file known, so that those of archives that need it can be read.
void base_pool::add_tensors(std::size_t file) {
  const std::vector<tensors::tensor> found = files_[file]->read_tensors();
  if (found.size() > UINT32_MAX - tensors_.size())
    throw error(errc::unsupported, "too many tensors");
  for (const tensors::tensor& each : found) {
    const auto number = static_cast<std::uint32_t>(tensors_.size());
    const base_tensor& t = tensors_.emplace_back(entry_for(each, file));
    by_bytes_[t.bytes].push_back(number);
    by_shape_[alike_key(t.type, t.shape_hash)].push_back(number);
  }
  hashes_.resize(tensors_.size());
}

void base_pool::index_names() {
  std::vector<std::uint32_t> order(tensors_.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::stable_sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
    return ranks_[tensors_[a].file] < ranks_[tensors_[b].file];
  });
  for (auto next = order.rbegin(); next != order.rend(); ++next) {
    const auto [at, is_new] = by_name_.try_emplace(tensors_[*next].name, *next);
    if (is_new) continue;
    tensors_[*next].next_of_name = at->second;
    at->second = *next;
  }
}

std::vector<std::string> base_pool::file_names() const {
  std::vector<std::string> names;
  for (const auto& file : files_) names.push_back(file->name());
  return names;
}

std::optional<std::uint32_t> base_pool::named(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

std::span<const std::uint32_t> base_pool::alike(dtype type, std::uint64_t shape_hash) const {
  const auto found = by_shape_.find(alike_key(type, shape_hash));
  if (found == by_shape_.end()) return {};
  return found->second;
}

void base_pool::read(std::size_t tensor, std::uint64_t offset, std::span<std::byte> out) {
  const base_tensor& t = tensors_[tensor];
  if (offset > t.bytes || out.size() > t.bytes - offset)
    throw error(errc::internal, "a read past the end of a tensor");
  base_file& file = *files_[t.file];
  naming(file.name(), [&] { file.read(t.offset + offset, out); });
}

hash256 base_pool::hash_of(std::size_t tensor) {
  const base_tensor& t = tensors_[tensor];
  const std::scoped_lock once(files_[t.file]->hashing(tensor));
  {
    const std::scoped_lock lock(hashes_lock_);
    if (hashes_[tensor]) return *hashes_[tensor];
  }
  std::vector<std::byte> piece(
      static_cast<std::size_t>(std::min<std::uint64_t>(t.bytes, hashed_at_a_time)));
  sha256 hashing;
  for (std::uint64_t done = 0; done < t.bytes;) {
    const auto next = std::span(piece).first(
        static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), t.bytes - done)));
    read(tensor, done, next);
    hashing.update(next);
    done += next.size();
  }
  const hash256 hash = hashing.finish();
  const std::scoped_lock lock(hashes_lock_);
  hashes_[tensor] = hash;
  const auto [at, is_new] = by_hash_.try_emplace(hash, tensor);
  if (!is_new) at->second = std::min(at->second, tensor);
  return hash;
}

/// Whether the tensor has that hash; says in `failure` why that cannot be told.
bool base_pool::has_hash(std::size_t tensor, const hash256& hash, std::string& failure) {
  {
    const std::scoped_lock lock(hashes_lock_);
    if (const auto found = unreadable_.find(tensor); found != unreadable_.end()) {
      failure = found->second;
      return false;
    }
  }
  try {
    return hash_of(tensor) == hash;
  } catch (const error& cause) {
    if (!is_about_bytes(cause.code())) throw;
    failure = cause.what();
    const std::scoped_lock lock(hashes_lock_);
    unreadable_.try_emplace(tensor, failure);
    return false;
  }
}

std::optional<std::size_t> base_pool::known(const hash256& hash, unsigned depth) {
  const std::scoped_lock lock(hashes_lock_);
  const auto found = by_hash_.find(hash);
  if (found == by_hash_.end() || files_[tensors_[found->second].file]->depth() >= depth)
    return std::nullopt;
  return found->second;
}

std::size_t base_pool::find(const hash256& hash, std::uint64_t bytes, std::uint32_t hint,
                            unsigned depth) {
  if (const auto found = known(hash, depth); found && tensors_[*found].bytes == bytes)
    return *found;
  std::string failure;
  const auto is_it = [&](std::size_t i) {
    return files_[tensors_[i].file]->depth() < depth && has_hash(i, hash, failure);
  };
  if (hint < tensors_.size() && tensors_[hint].bytes == bytes && is_it(hint)) return hint;
  if (const auto same = by_bytes_.find(bytes); same != by_bytes_.end())
    for (const std::uint32_t i : same->second)
      if (is_it(i)) return i;
  throw error(errc::missing, "needs another base: none of those given holds the tensor " +
                                 to_hex(hash).substr(0, 16) + " of " + std::to_string(bytes) +
                                 " bytes" + (failure.empty() ? "" : " (" + failure + ")"));
}

std::uint64_t memory_of(const base_handle& base) { return base == nullptr ? 0 : base->memory(); }

}  // namespace lmzip::engine
