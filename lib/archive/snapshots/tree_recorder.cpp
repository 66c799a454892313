#include "archive/snapshots/tree_recorder.h"

#include <array>
#include <utility>

#include "archive/tree/entry_writer.h"
#include "archive/tree/file_content.h"
#include "archive/tree/stat_cache.h"

namespace lmzip::archive {

bool tree_recorder::reuse(const tree::entry& found) {
  const tree::entry* const known = previous_.find(found.path);
  if (known == nullptr || !tree::is_unchanged(*known, found, previous_start_)) return false;
  tree::entry same = *known;
  same.stamp = found.stamp;
  if (same.kind == tree::entry_kind::file) ++into_.reused_files;
  entries_.push_back({std::move(same), false});
  return true;
}

bool tree_recorder::store(tree::entry& found, io::file* content) {
  if (content != nullptr && !store_content(found, *content)) return false;
  entries_.push_back({found, true});
  return true;
}

bool tree_recorder::store_content(tree::entry& found, io::file& from) {
  using outcome = tree::file_content::outcome;
  tree::file_content data(from, found);
  std::vector<std::byte> buffer(std::size_t{1} << 17);
  file_order order = order_of(content_kind::empty, found.path);
  // A first piece that tells the kind, however short the reads are.
  std::size_t filled = 0;
  bool is_first = true;
  for (bool ended = false; !ended;) {
    const std::size_t count = data.read(std::span(buffer).subspan(filled));
    ended = count == 0;
    filled += count;
    if (filled < kind_prefix_bytes && !ended) continue;
    if (is_first) order.kind = kind_of(std::span(buffer).first(filled), tree::data_bytes(found));
    is_first = false;
    store_.append(std::span(buffer).first(filled));
    filled = 0;
  }
  const outcome result = data.finish(found);
  if (result == outcome::failed) {
    store_.discard();
    ++into_.failed_files;
    report({tree::problem_kind::unreadable, found.path, data.failure()});
    return false;
  }
  found.content = store_.finish(order);
  if (result == outcome::changed) {
    ++into_.changed_files;
    report({tree::problem_kind::vanished, found.path, "changed while it was read"});
  }
  return true;
}

void tree_recorder::report(const tree::problem& found) {
  if (report_) report_(found);
}

void tree_recorder::finish(root_record& into) {
  store_.place();
  into.counts.saved_bytes = store_.saved_bytes();
  std::vector<std::byte> bytes;
  for (recorded& each : entries_) {
    if (each.is_new) each.entry.content = store_.resolve(each.entry.content);
    ++into.counts.entries;
    if (each.entry.kind == tree::entry_kind::file) {
      ++into.counts.files;
      into.counts.bytes += tree::data_bytes(each.entry);
    }
    bytes.clear();
    tree::write_entry(bytes, each.entry);
    store_.append(bytes);
  }
  // Binary, behind all files.
  into.entries = store_.finish(order_of(content_kind::binary, "entries"));
  for (const recorded& each : entries_) {
    bytes.clear();
    tree::write_stamp(bytes, each.entry.stamp);
    store_.append(bytes);
  }
  into.stamps = store_.finish(order_of(content_kind::binary, "stamps"));
  store_.place();
  into.entries = store_.resolve(into.entries);
  into.stamps = store_.resolve(into.stamps);
  into.counts.new_bytes = store_.placed_bytes();
  into.chunks = store_.table();
}

}  // namespace lmzip::archive
