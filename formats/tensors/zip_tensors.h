#pragma once

#include "formats/tensors/input.h"
#include "formats/tensors/probe.h"

/// Zip archives of tensors: npz (numpy) and the archives of PyTorch (.pt, .pth, .bin since 1.6).
/// Stored members become tensors, compressed ones stay plain bytes. Nothing is unpickled.
namespace lmzip::tensors {

bool looks_like_zip(const beginning& from) noexcept;

/// True if the first member of a zip archive has the name of one in an npz file or a PyTorch
/// archive, so that it is worth to wait for the directory at the end. May ask for more bytes by
/// returning nothing; never where all of the input, or 1 KiB, is given.
std::optional<bool> begins_like_tensor_zip(const beginning& from) noexcept;

/// The layout by the directory at the end. Plain bytes without a reason for other archives.
tensor_layout read_tensor_zip(const random_input& in, const read_limits& limits = {});

}  // namespace lmzip::tensors
