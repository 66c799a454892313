#include "app/train/tensor_file.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/endian.h"
#include "core/io/file.h"
#include "core/io/temporary_file.h"
#include "lmzip/error.h"

namespace lmzip::train {
namespace {

using nlohmann::json;

constexpr std::uint64_t max_header_bytes = 100'000'000;  // as the reference implementation

[[noreturn]] void damaged(const std::string& what) { throw error(errc::damaged, what); }

const char* type_name(torch::ScalarType type) {
  if (type == torch::kFloat32) return "F32";
  if (type == torch::kInt64) return "I64";
  throw error(errc::internal, "a tensor of a type that is not written");
}

void read_exactly(io::file& file, std::span<std::byte> to) {
  for (std::size_t done = 0; done < to.size();) {
    const std::size_t got = file.read(to.subspan(done));
    if (got == 0) damaged("the file of tensors ends too early");
    done += got;
  }
}

std::span<std::byte> bytes_of(const torch::Tensor& tensor) {
  return {static_cast<std::byte*>(tensor.data_ptr()), tensor.nbytes()};
}

/// Reads the tensor that follows; `offset` is its place behind the header.
torch::Tensor read_tensor(io::file& file, const json& entry, std::uint64_t& offset) {
  const std::string type = entry.at("dtype");
  if (type != "F32" && type != "I64") damaged("a tensor of a type that is not known: " + type);
  const std::vector<std::int64_t> shape = entry.at("shape");
  const std::array<std::uint64_t, 2> place = entry.at("data_offsets");
  // Checked against the file before memory is asked for.
  std::uint64_t bytes = type == "F32" ? 4 : 8;
  for (const std::int64_t size : shape)
    if (size < 0 || __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(size), &bytes))
      damaged("a tensor of an impossible shape");
  if (place[0] != offset || place[1] < offset || place[1] - offset != bytes ||
      bytes > file.status().bytes)
    damaged("the tensors do not follow each other");
  offset = place[1];
  torch::Tensor tensor = torch::empty(shape, type == "F32" ? torch::kFloat32 : torch::kInt64);
  read_exactly(file, bytes_of(tensor));
  return tensor;
}

json read_header(io::file& file) {
  std::array<std::byte, 8> size{};
  read_exactly(file, size);
  const auto bytes = load_le<std::uint64_t>(size.data());
  if (bytes > std::min(max_header_bytes, file.status().bytes)) damaged("not a safetensors file");
  std::string text(bytes, ' ');
  read_exactly(file, std::as_writable_bytes(std::span(text)));
  return json::parse(text);
}

}  // namespace

tensor_file tensor_file::read(const std::string& path) {
  io::file file = io::file::open_for_reading(path, true);
  tensor_file result;
  try {
    const json header = read_header(file);
    if (header.contains("__metadata__")) result.notes = header["__metadata__"];
    std::map<std::uint64_t, std::string> in_order;
    for (const auto& [name, entry] : header.items())
      if (name != "__metadata__") in_order[entry.at("data_offsets").at(0)] = name;
    std::uint64_t offset = 0;
    for (const auto& [place, name] : in_order)
      result.tensors[name] = read_tensor(file, header[name], offset);
  } catch (const json::exception& failure) {
    damaged(path + ": not a safetensors file: " + failure.what());
  } catch (const io::file_error&) {
    throw;  // names the file itself
  } catch (const error& failure) {
    throw error(failure.code(), path + ": " + failure.what());
  }
  return result;
}

void tensor_file::write(const std::string& path) const {
  json header = {{"__metadata__", notes}};
  std::uint64_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    header[name] = {{"dtype", type_name(tensor.scalar_type())},
                    {"shape", tensor.sizes().vec()},
                    {"data_offsets", {offset, offset + tensor.nbytes()}}};
    offset += tensor.nbytes();
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  std::array<std::byte, 8> size{};
  store_le(size.data(), std::uint64_t{text.size()});
  io::temporary_file file(path);
  file.handle().set_mode(io::new_file_mode());
  file.handle().write(size);
  file.handle().write(std::as_bytes(std::span(text)));
  for (const auto& [name, tensor] : tensors) file.handle().write(bytes_of(tensor.contiguous()));
  file.commit(true, true);
}

const torch::Tensor& tensor_file::find(const std::string& name, torch::IntArrayRef shape) const {
  const auto at = tensors.find(name);
  if (at == tensors.end()) damaged("there is no tensor " + name);
  if (at->second.sizes() != shape) damaged("tensor " + name + " has another shape");
  return at->second;
}

const std::string& tensor_file::note(const std::string& name) const {
  const auto at = notes.find(name);
  if (at == notes.end()) damaged("there is no note " + name);
  return at->second;
}

}  // namespace lmzip::train
