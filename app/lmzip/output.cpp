#include "app/lmzip/output.h"

#include <utility>

#include "core/io/metadata.h"

namespace lmzip::app {

standard_output::standard_output() : handle_(io::file::standard_output()) {}

sink& standard_output::bytes(bool sparse) {
  used_ = true;
  if (!sink_) sink_.emplace(handle_, sparse && io::can_be_sparse(handle_));
  return *sink_;
}

void standard_output::write(std::string_view text) {
  bytes(false).write(std::as_bytes(std::span(text)));
}

void standard_output::finish() {
  if (!used_) return;
  used_ = false;
  sink_->finish();
  handle_.close();
}

void null_sink::write(std::span<const std::byte>) {}

output::output(sink& standard) : name_("(standard output)"), bytes_(&standard) {}

output::output(const std::string& path, const rules& wanted, const io::file_status& input_status)
    : name_(path), rules_(wanted) {
  const auto named = io::status_of(path, false);
  const auto target = io::status_of(path, true);
  if (target && io::is_same_file(*target, input_status)) {
    throw io::file_error::with_text(path, "is the input file itself");
  }
  if (target && target->kind == io::file_kind::directory) {
    throw io::file_error::with_text(path, "is a directory");
  }
  const bool is_special = target && target->kind != io::file_kind::regular;
  if (is_special && !target->is_block_device) {
    // Devices and FIFOs are written to, never replaced.
    special_.emplace(io::file::open_for_writing(path));
    file_sink_.emplace(*special_, false);
  } else {
    if (is_special) throw io::file_error::with_text(path, "is a block device (redirect to it)");
    if (named && named->kind == io::file_kind::symbolic_link && path.starts_with("/dev/")) {
      // /dev/stderr and the like: replacing the link would break the system.
      throw io::file_error::with_text(path, "is not replaced (redirect to it)");
    }
    if (named && !wanted.force) {
      throw io::file_error::with_text(path, "already exists (use -f to replace it)");
    }
    temporary_.emplace(path);
    file_sink_.emplace(temporary_->handle(), wanted.sparse);
  }
  bytes_ = &*file_sink_;
}

void output::commit(const input& from, messages& out) {
  if (file_sink_) file_sink_->finish();
  if (special_) special_->close();
  if (!temporary_) return;
  if (from.status.kind == io::file_kind::regular && !from.is_standard_input()) {
    const io::metadata_losses lost = io::copy_metadata(from.status, temporary_->handle());
    if (lost.owner) out.warning(name_, "cannot set the owner");
    if (lost.group) out.warning(name_, "cannot set the group (access is reduced to be safe)");
    if (lost.mode) out.warning(name_, "cannot set the mode");
    if (lost.times) out.warning(name_, "cannot set the times");
  } else if (!temporary_->handle().set_mode(io::new_file_mode())) {
    out.warning(name_, "cannot set the mode");
  }
  try {
    temporary_->commit(rules_.force, rules_.sync);
  } catch (const io::file_error& failure) {
    if (!failure.is_existing()) throw;
    throw io::file_error::with_text(name_, "already exists (use -f to replace it)");
  }
}

std::optional<std::string> file_path_of(const std::optional<std::string>& path) {
  // Replacing /dev/stdout would be a disaster for root.
  if (path && (*path == "-" || *path == "/dev/stdout")) return std::nullopt;
  return path;
}

}  // namespace lmzip::app
