#pragma once

#include <string_view>

/// Names of members in zip archives of tensors.
namespace lmzip::tensors {

inline constexpr std::string_view npy_suffix = ".npy";

inline bool is_npy_name(std::string_view name) noexcept {
  return name.size() > npy_suffix.size() && name.ends_with(npy_suffix);
}

/// The pickle of an archive of PyTorch, after its root folder.
inline constexpr std::string_view pickle_name = "/data.pkl";

/// The root folder if `name` is that of the pickle; else "".
inline std::string_view root_by_pickle(std::string_view name) noexcept {
  if (!name.ends_with(pickle_name)) return {};
  const std::string_view root = name.substr(0, name.size() - pickle_name.size());
  return root.find('/') == root.npos ? root : std::string_view();
}

}  // namespace lmzip::tensors
