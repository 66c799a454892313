#include "app/lmzip/version.h"

#include <fmt/format.h>

#include "codec/codec_data.h"
#include "core/cpu.h"
#include "core/hash.h"
#include "formats/container/format.h"

namespace lmzip::app {

std::string version_text(bool verbose) {
  std::string text =
      fmt::format("lmzip {}\nformat version {}\n", LMZIP_VERSION, container::format_version);
  if (verbose) {
    text += fmt::format("codec data {}\ninstruction set {}\n", to_hex(codec::codec_data_id()),
                        isa_name(active_isa()));
  }
  return text;
}

}  // namespace lmzip::app
