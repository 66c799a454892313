#include "codec/text/symbol_coder_impl.h"
#include "model/kernels_scalar.h"
#include "model/strength.h"

namespace lmzip::codec::text::scalar {

const symbol_coder tokens = coder_functions<model::token_strength, model::scalar_kernels>::table;
const symbol_coder bytes = coder_functions<model::byte_strength, model::scalar_kernels>::table;

}  // namespace lmzip::codec::text::scalar
