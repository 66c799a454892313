#include "codec/codec_data.h"

#include "codec/parameter_file.h"
#include "vocab/shipped.h"

namespace lmzip::codec {

hash256 codec_data_id() {
  // Both files end with a hash of their content, so that this takes no time.
  static const hash256 id = [] {
    sha256 hasher;
    hasher.update(vocab::shipped_vocabulary_bytes().last(sizeof(hash256)));
    hasher.update(shipped_parameters().content_hash());
    return hasher.finish();
  }();
  return id;
}

}  // namespace lmzip::codec
