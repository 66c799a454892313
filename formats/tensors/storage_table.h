#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/tensors/layout.h"
#include "formats/tensors/pickle_scan.h"

namespace lmzip::tensors {

/// What the pickle of a PyTorch archive says of storages, by their keys. Takes up to 40 times the
/// memory of the pickle, which it keeps.
class storage_table {
 public:
  explicit storage_table(std::vector<std::byte> pickle = {});

  /// Keys point into the pickle.
  storage_table(const storage_table&) = delete;
  storage_table& operator=(const storage_table&) = delete;
  storage_table(storage_table&&) = default;
  storage_table& operator=(storage_table&&) = default;

  /// Bytes of the storage `key`, as far as the pickle tells.
  std::optional<std::uint64_t> bytes_of(std::string_view key) const;

  /// Fills in what is known of the storage `key`, if its size, `t.bytes`, is as the pickle says.
  void describe(std::string_view key, bool is_big_endian, tensor& t) const;

 private:
  const pickled_storage* find(std::string_view key) const;

  std::vector<std::byte> pickle_;
  std::vector<pickled_storage> storages_;
  std::unordered_map<std::string_view, std::size_t> by_key_;
};

}  // namespace lmzip::tensors
