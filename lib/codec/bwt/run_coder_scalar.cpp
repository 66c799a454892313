#include "codec/bwt/run_coder_impl.h"
#include "model/kernels_scalar.h"

namespace lmzip::codec::bwt::scalar {

const run_coder coder = run_coder_functions<model::scalar_kernels>::table;

}  // namespace lmzip::codec::bwt::scalar
