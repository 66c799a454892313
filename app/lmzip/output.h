#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/lmzip/input.h"
#include "app/lmzip/messages.h"
#include "app/lmzip/settings.h"
#include "core/io/file.h"
#include "core/io/file_stream.h"
#include "core/io/temporary_file.h"
#include "lmzip/stream.h"

namespace lmzip::app {

/// Standard output, shared by all files of a run.
class standard_output {
 public:
  standard_output();

  bool is_terminal() const noexcept { return handle_.is_terminal(); }
  io::file_status status() const { return handle_.status(); }

  /// `sparse`: leave holes if the file allows it. The setting of the first call counts.
  sink& bytes(bool sparse);
  void write(std::string_view text);

  /// Closes standard output if it was used, so that late errors are seen. Throws file_error.
  void finish();

 private:
  io::file handle_;
  std::optional<io::file_sink> sink_;
  bool used_ = false;
};

/// Takes bytes and drops them.
class null_sink final : public sink {
 public:
  void write(std::span<const std::byte> data) override;
};

/// Where the result for one input goes: standard output, a device or FIFO, or a new file that gets
/// its name when it is whole.
class output {
 public:
  struct rules {
    bool force = false;   ///< replace an existing file
    bool sync = false;    ///< flush file and directory before commit() returns
    bool sparse = false;  ///< leave holes
  };

  explicit output(sink& standard);
  /// Throws error(usage or io) at once if `path` must not be written: it exists, or is the input.
  output(const std::string& path, const rules& wanted, const io::file_status& input_status);

  sink& bytes() noexcept { return *bytes_; }
  const std::string& name() const noexcept { return name_; }
  bool is_terminal() const noexcept { return special_ && special_->is_terminal(); }
  /// True if commit() makes a regular file.
  bool makes_file() const noexcept { return temporary_.has_value(); }

  /// Gives a file its metadata, as far as `from` has any to copy, and its name. Warns about what
  /// could not be kept.
  void commit(const input& from, messages& out);

 private:
  std::string name_;
  rules rules_;
  std::optional<io::temporary_file> temporary_;
  std::optional<io::file> special_;
  std::optional<io::file_sink> file_sink_;
  sink* bytes_ = nullptr;
};

/// Path given by -o, with the names of standard output turned into nothing.
std::optional<std::string> file_path_of(const std::optional<std::string>& path);

}  // namespace lmzip::app
