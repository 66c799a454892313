#pragma once

#include "app/lmzip/session.h"

namespace lmzip::app {

/// Each works on all files of `on.run`, reports to `on.out` and leaves the exit status there.
void compress_files(session& on);
void decompress_files(session& on);
void test_files(session& on);
void list_files(session& on);
void describe_files(session& on);  ///< lmzip info
void repair_file(session& on);
void rebase_file(session& on);  ///< makes an archive need no base, or another one

}  // namespace lmzip::app
