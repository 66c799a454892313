#include "codec/text/symbol_coder_impl.h"
#include "model/kernels_scalar.h"
#include "model/strength.h"

namespace lmzip::codec::text::scalar {

const symbol_coder_table coders = all_coders<model::scalar_kernels>;

}  // namespace lmzip::codec::text::scalar
