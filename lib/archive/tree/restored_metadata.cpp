#include "archive/tree/restored_metadata.h"

#include <cerrno>
#include <optional>

namespace lmzip::tree {
namespace {

constexpr unsigned set_user_id = 04000;
constexpr unsigned set_group_id = 02000;

int reason_of(bool is_done) { return is_done ? 0 : errno; }

/// Attributes that need write permission, which the mode may take away: they come first. An ACL
/// changes the mode.
bool comes_first(const io::attribute& each) { return each.name.starts_with("user."); }

}  // namespace

void loss_counter::add(loss kind, const std::string& path, const std::string& text, int reason) {
  if (counts_[static_cast<std::size_t>(kind)]++ != 0 || !report_) return;
  report_(kind, path, reason == 0 ? text : text + ": " + io::reason_text(reason));
}

/// Something that has metadata; the setters return 0 or a value of errno.
class metadata_writer::subject {
 public:
  virtual ~subject() = default;
  virtual io::file_status status() = 0;
  virtual int set_owner(std::optional<unsigned> user, std::optional<unsigned> group) = 0;
  virtual int set_attribute(const io::attribute& which) = 0;
  virtual int set_mode(unsigned mode) = 0;
  virtual int set_modified(const io::file_time& time) = 0;
};

class metadata_writer::open_subject final : public subject {
 public:
  explicit open_subject(io::file& to) : to_(to) {}
  io::file_status status() override { return to_.status(); }
  int set_owner(std::optional<unsigned> user, std::optional<unsigned> group) override {
    return reason_of(to_.set_owner(user, group));
  }
  int set_attribute(const io::attribute& which) override { return to_.set_attribute(which); }
  int set_mode(unsigned mode) override { return reason_of(to_.set_mode(mode)); }
  int set_modified(const io::file_time& time) override { return reason_of(to_.set_modified(time)); }

 private:
  io::file& to_;
};

class metadata_writer::named_subject final : public subject {
 public:
  named_subject(io::folder& in, const std::string& name) : in_(in), name_(name) {}
  io::file_status status() override {
    if (const auto found = in_.status_of(name_)) return *found;
    throw io::file_error(name_, "cannot open", ENOENT);
  }
  int set_owner(std::optional<unsigned> user, std::optional<unsigned> group) override {
    return in_.set_owner_of(name_, user, group);
  }
  int set_attribute(const io::attribute& which) override {
    return in_.set_attribute_of(name_, which);
  }
  int set_mode(unsigned mode) override { return in_.set_mode_of(name_, mode); }
  int set_modified(const io::file_time& time) override { return in_.set_modified_of(name_, time); }

 private:
  io::folder& in_;
  const std::string& name_;
};

void metadata_writer::apply(io::file& to, const entry& from, const std::string& shown) {
  open_subject subject(to);
  apply(subject, from, shown);
}

void metadata_writer::apply(io::folder& in, const std::string& name, const entry& from,
                            const std::string& shown) {
  named_subject subject(in, name);
  apply(subject, from, shown);
}

void metadata_writer::apply(subject& to, const entry& from, const std::string& shown) {
  const std::uint32_t user = user_of(from.owner);
  const std::uint32_t group = group_of(from.owner);
  set_owner(to, user, group, shown);
  set_attributes(to, from, shown);
  if (from.kind != entry_kind::symbolic_link) set_mode(to, from.mode, user, group, shown);
  if (const int reason = to.set_modified(from.modified))
    lost_.add(loss::times, shown, "cannot set time of modification", reason);
}

std::uint32_t metadata_writer::user_of(const entry_owner& owner) {
  if (numeric_owners_ || owner.user_name.empty()) return owner.user;
  return names_.user_id(owner.user_name).value_or(owner.user);
}

std::uint32_t metadata_writer::group_of(const entry_owner& owner) {
  if (numeric_owners_ || owner.group_name.empty()) return owner.group;
  return names_.group_id(owner.group_name).value_or(owner.group);
}

void metadata_writer::set_owner(subject& to, std::uint32_t user, std::uint32_t group,
                                const std::string& shown) {
  const io::file_status now = to.status();
  int reason = 0;
  // Only root can give files away; others may have the group, if they are in it.
  if (now.group != group) reason = to.set_owner(std::nullopt, group);
  if (now.owner != user) {
    const int user_reason = is_root_ ? to.set_owner(user, std::nullopt) : EPERM;
    if (user_reason != 0) reason = user_reason;
  }
  if (reason != 0) lost_.add(loss::owner, shown, "cannot set owner", reason);
}

void metadata_writer::set_attributes(subject& to, const entry& from, const std::string& shown) {
  for (const bool first : {true, false})
    for (const io::attribute& each : from.attributes) {
      if (comes_first(each) != first) continue;
      if (const int reason = to.set_attribute(each))
        lost_.add(loss::attributes, shown, "cannot set attribute " + each.name, reason);
    }
}

/// Set-user-id and set-group-id are kept only for the owner and group they were meant for: for
/// others they would give away what those may do.
void metadata_writer::set_mode(subject& to, unsigned mode, std::uint32_t user, std::uint32_t group,
                               const std::string& shown) {
  if ((mode & (set_user_id | set_group_id)) != 0) {
    const io::file_status now = to.status();
    const unsigned wanted = mode;
    if (now.owner != user) mode &= ~set_user_id;
    if (now.group != group) mode &= ~set_group_id;
    if (mode != wanted)
      lost_.add(loss::special_bits, shown, "set-user-id or set-group-id left out", 0);
  }
  if (const int reason = to.set_mode(mode)) lost_.add(loss::mode, shown, "cannot set mode", reason);
}

}  // namespace lmzip::tree
