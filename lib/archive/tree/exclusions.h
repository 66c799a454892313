#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lmzip::tree {

/// What a walk leaves out, by patterns such as rsync and git know them:
///
///   *.o          everything of such a name, anywhere
///   cache/tmp    tmp in a directory cache, anywhere
///   /home/*/.x   the slash in front: counted from the top of the stored tree
///   a/**/b       any number of directories between, or none
///   build/       directories only
///
/// A star does not match a slash. What a directory holds is left out with it.
class exclusions {
 public:
  /// Throws error(usage) for a pattern without a name.
  void add(std::string_view pattern);
  /// Adds those of a text, one a line; empty lines and those that begin with # are skipped.
  void add_lines(std::string_view text);

  bool excludes(std::string_view path, bool is_directory) const;

 private:
  struct rule {
    std::vector<std::string> parts;  ///< patterns of names, or "**"
    bool directories_only = false;
  };
  std::vector<rule> rules_;
};

}  // namespace lmzip::tree
