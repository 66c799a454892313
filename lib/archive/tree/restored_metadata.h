#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "archive/tree/entry.h"
#include "core/io/folder.h"
#include "core/io/owners.h"

namespace lmzip::tree {

/// What a restored entry can lack.
enum class loss {
  owner,
  special_bits,  ///< set-user-id and set-group-id of an owner that could not be given
  mode,
  times,
  attributes,  ///< ACLs among them
  devices,     ///< device nodes and other kinds that this user or file system may not have
};
inline constexpr std::size_t losses = 6;

/// Told of the first loss of each kind: the path as the user would write it, and what and why.
using loss_reporter =
    std::function<void(loss kind, const std::string& path, const std::string& text)>;

/// Counts losses and reports the first of each kind.
class loss_counter {
 public:
  explicit loss_counter(loss_reporter report) : report_(std::move(report)) {}

  /// `reason` is a value of errno, or 0 for none.
  void add(loss kind, const std::string& path, const std::string& text, int reason);
  std::uint64_t count(loss kind) const { return counts_[static_cast<std::size_t>(kind)]; }

 private:
  loss_reporter report_;
  std::array<std::uint64_t, losses> counts_ = {};
};

/// Gives new files what their entries say: owner, attributes, mode, times, in this order, as each
/// can undo what comes behind it.
class metadata_writer {
 public:
  /// With `numeric_owners` names are not looked at.
  metadata_writer(bool numeric_owners, loss_counter& lost)
      : numeric_owners_(numeric_owners), is_root_(io::is_superuser()), lost_(lost) {}

  /// To an open file or directory. `shown` is its path for messages.
  void apply(io::file& to, const entry& from, const std::string& shown);
  /// To what stands at a name, which nobody else can replace meanwhile.
  void apply(io::folder& in, const std::string& name, const entry& from, const std::string& shown);

 private:
  class subject;
  class open_subject;
  class named_subject;

  void apply(subject& to, const entry& from, const std::string& shown);
  void set_owner(subject& to, std::uint32_t user, std::uint32_t group, const std::string& shown);
  void set_attributes(subject& to, const entry& from, const std::string& shown);
  void set_mode(subject& to, unsigned mode, std::uint32_t user, std::uint32_t group,
                const std::string& shown);
  std::uint32_t user_of(const entry_owner& owner);
  std::uint32_t group_of(const entry_owner& owner);

  bool numeric_owners_;
  bool is_root_;
  loss_counter& lost_;
  io::owner_names names_;
};

}  // namespace lmzip::tree
