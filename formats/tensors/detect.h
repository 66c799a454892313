#pragma once

#include <functional>

#include "formats/tensors/input.h"
#include "formats/tensors/probe.h"

/// Finds out what an input holds, by its content alone.
namespace lmzip::tensors {

/// Looks at the first bytes of an input. `verdict::more` wants to be asked again with a longer
/// prefix, at most 8 bytes more than `limits.header_bytes`. A layout that ends before the input
/// does says nothing about the rest: that can be probed anew, as an input of its own. Plain bytes
/// of an input whose size is not known are as many as were given, and mean all of the input.
///
/// safetensors, GGUF and npy are known from their beginning, so that their tensors can be coded
/// while they arrive. For zip archives the verdict is needs_the_end, but only if their first member
/// has a name as in an archive of tensors; zip_walk reads those from their front.
probe_result probe(const beginning& from, const read_limits& limits = {});

/// Shows the first `count` bytes of an input, fewer only if it has no more. The bytes are valid
/// until the next call.
using peek_function = std::function<std::span<const std::byte>(std::size_t count)>;

/// Asks probe() with longer and longer prefixes until it is decided, or needs the end. `total` is
/// the size of the input, where it is known.
probe_result probe_with(const peek_function& peek, std::optional<std::uint64_t> total,
                        const read_limits& limits = {});

/// The layout of a whole input: `layout.bytes` is its size. Throws error(io), and nothing else.
tensor_layout read_layout(const random_input& in, const read_limits& limits = {});

}  // namespace lmzip::tensors
