#include "core/io/owners.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>

#include <vector>

namespace lmzip::io {
namespace {

/// Calls one of the get…_r() functions with a buffer as long as it asks for, up to 1 MiB; nullptr
/// if there is no such record. The record's strings live in `buffer`.
template <class Record, class Ask>
const Record* look_up(Record& record, std::vector<char>& buffer, const Ask& ask) {
  Record* found = nullptr;
  for (buffer.resize(1024); buffer.size() <= (1U << 20); buffer.resize(buffer.size() * 2)) {
    const int reason = ask(&record, buffer.data(), buffer.size(), &found);
    if (reason != ERANGE && reason != EINTR) break;
  }
  return found;
}

std::string find_user_name(uid_t id) {
  struct passwd record;
  std::vector<char> buffer;
  const auto* found =
      look_up(record, buffer, [id](auto... rest) { return ::getpwuid_r(id, rest...); });
  return found != nullptr ? found->pw_name : "";
}

std::string find_group_name(gid_t id) {
  struct group record;
  std::vector<char> buffer;
  const auto* found =
      look_up(record, buffer, [id](auto... rest) { return ::getgrgid_r(id, rest...); });
  return found != nullptr ? found->gr_name : "";
}

std::optional<std::uint32_t> find_user_id(const char* name) {
  struct passwd record;
  std::vector<char> buffer;
  const auto* found =
      look_up(record, buffer, [name](auto... rest) { return ::getpwnam_r(name, rest...); });
  return found != nullptr ? std::optional(found->pw_uid) : std::nullopt;
}

std::optional<std::uint32_t> find_group_id(const char* name) {
  struct group record;
  std::vector<char> buffer;
  const auto* found =
      look_up(record, buffer, [name](auto... rest) { return ::getgrnam_r(name, rest...); });
  return found != nullptr ? std::optional(found->gr_gid) : std::nullopt;
}

}  // namespace

const std::string& owner_names::user_name(std::uint32_t id) {
  const auto [at, is_new] = users_.try_emplace(id);
  if (is_new) at->second = find_user_name(id);
  return at->second;
}

const std::string& owner_names::group_name(std::uint32_t id) {
  const auto [at, is_new] = groups_.try_emplace(id);
  if (is_new) at->second = find_group_name(id);
  return at->second;
}

std::optional<std::uint32_t> owner_names::user_id(const std::string& name) {
  const auto [at, is_new] = user_ids_.try_emplace(name);
  if (is_new) at->second = find_user_id(name.c_str());
  return at->second;
}

std::optional<std::uint32_t> owner_names::group_id(const std::string& name) {
  const auto [at, is_new] = group_ids_.try_emplace(name);
  if (is_new) at->second = find_group_id(name.c_str());
  return at->second;
}

}  // namespace lmzip::io
