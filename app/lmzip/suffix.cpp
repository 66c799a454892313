#include "app/lmzip/suffix.h"

namespace lmzip::app {
namespace {

constexpr std::string_view tar_archive = ".tlmz";

bool ends_with_something_before(std::string_view path, std::string_view suffix) {
  return path.size() > suffix.size() && path.ends_with(suffix) &&
         path[path.size() - suffix.size() - 1] != '/';
}

}  // namespace

bool has_archive_suffix(std::string_view path, std::string_view suffix) {
  return ends_with_something_before(path, suffix) || ends_with_something_before(path, tar_archive);
}

std::optional<std::string> decompressed_name(std::string_view path, std::string_view suffix) {
  if (ends_with_something_before(path, suffix)) {
    return std::string(path.substr(0, path.size() - suffix.size()));
  }
  if (ends_with_something_before(path, tar_archive)) {
    return std::string(path.substr(0, path.size() - tar_archive.size())) + ".tar";
  }
  return std::nullopt;
}

}  // namespace lmzip::app
