#include "codec/ratio/element_kernels_impl.h"

namespace lmzip::codec::ratio::scalar {

const element_kernels kernels = element_loops<struct scalar_target>::table;

}  // namespace lmzip::codec::ratio::scalar
