#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace lmzip::io {

/// The names of users and groups, looked up once each. Not thread-safe.
class owner_names {
 public:
  /// Empty where there is no name.
  const std::string& user_name(std::uint32_t id);
  const std::string& group_name(std::uint32_t id);
  std::optional<std::uint32_t> user_id(const std::string& name);
  std::optional<std::uint32_t> group_id(const std::string& name);

 private:
  std::unordered_map<std::uint32_t, std::string> users_;
  std::unordered_map<std::uint32_t, std::string> groups_;
  std::unordered_map<std::string, std::optional<std::uint32_t>> user_ids_;
  std::unordered_map<std::string, std::optional<std::uint32_t>> group_ids_;
};

}  // namespace lmzip::io
