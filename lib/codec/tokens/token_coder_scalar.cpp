#include "codec/tokens/token_coder_impl.h"

namespace lmzip::codec::tokens::scalar {
namespace {

struct kernels {
  using lines = scalar_line_kernels;
  using rows = model::scalar_row_kernels;
  using mixing = model::scalar_kernels;
};

}  // namespace

const token_coder coder = coder_functions<kernels>::table;

}  // namespace lmzip::codec::tokens::scalar
