#include "core/io/process.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <vector>

#include "core/io/file.h"

namespace lmzip::io {
namespace {

void run(const std::string& path, const std::string& name, std::span<const std::string> arguments) {
  std::vector<char*> words = {const_cast<char*>(name.c_str())};
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  ::execvp(path.c_str(), words.data());
  if (errno != ENOENT) throw file_error(path, "run", errno);
}

}  // namespace

void become_program(const std::string& name, const std::string& beside,
                    std::span<const std::string> arguments) {
  std::error_code failure;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", failure);
  if (!failure) {
    const auto folder = self.parent_path();
    run((folder / name).string(), name, arguments);
    run((folder / beside / name).string(), name, arguments);
  }
  run(name, name, arguments);
}

}  // namespace lmzip::io
