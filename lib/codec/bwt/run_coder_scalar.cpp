#include "codec/bwt/run_coder_impl.h"
#include "codec/bwt/run_kernels_scalar.h"

namespace lmzip::codec::bwt::scalar {

const run_coder coder = run_coder_functions<scalar_run_kernels>::table;

}  // namespace lmzip::codec::bwt::scalar
