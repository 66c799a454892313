#include "codec/delta/word_kernels_impl.h"

namespace lmzip::codec::delta::scalar {

const all_word_kernels kernels = all_loops<struct scalar_target>;

}  // namespace lmzip::codec::delta::scalar
