// Decodes an archive with the decoding half of the library alone, on one thread: the program that
// is built for other processors. Usage: lmzip-decode-one ARCHIVE >PLAIN
// Ends with the exit status that lmzip has for the same fault.

#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <variant>
#include <vector>

#include "codec/codec.h"
#include "codec/codec_data.h"
#include "core/hash.h"
#include "formats/container/reader.h"
#include "lmzip/error.h"
#include "lmzip/stream.h"

namespace {

using namespace lmzip;

class stream_source : public source {
 public:
  explicit stream_source(std::istream& from) : from_(from) {}

  std::size_t read(std::span<std::byte> out) override {
    from_.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size()));
    if (from_.bad()) throw error(errc::io, "cannot read the archive");
    return static_cast<std::size_t>(from_.gcount());
  }

 private:
  std::istream& from_;
};

void decode_block(const container::block& block) {
  const container::block_header& head = block.header;
  const codec::decoder* decoder =
      codec::find_decoder(static_cast<codec::codec_id>(head.codec), head.codec_version);
  if (!decoder) throw error(errc::unsupported, "unknown codec", block.offset);
  std::vector<std::byte> plain(head.plain_bytes);
  decoder->decode(head.parameters, block.payload, plain);
  if (xxh3_64(plain) != head.plain_hash || (head.digest && sha256_of(plain) != *head.digest))
    throw error(errc::damaged, container::corrupt_block_text(block.number, block.offset));
  std::cout.write(reinterpret_cast<const char*>(plain.data()),
                  static_cast<std::streamsize>(plain.size()));
}

void check_codec_data(const container::member_header& head) {
  if (head.codec_data != codec::no_codec_data && head.codec_data != codec::codec_data_id())
    throw error(errc::unsupported, "made with other codec data");
  if (head.model || head.base) throw error(errc::missing, "needs a model or a base");
}

void decode_archive(source& from) {
  container::stream_reader reader(from);
  for (;;) {
    const container::event event = reader.next();
    if (const auto* begin = std::get_if<container::member_begin>(&event))
      check_codec_data(begin->header);
    else if (const auto* block = std::get_if<container::block>(&event))
      decode_block(*block);
    else if (std::holds_alternative<container::end_of_archive>(event))
      return;
  }
}

int exit_status(errc code) {
  switch (code) {
    case errc::damaged:
    case errc::truncated:
    case errc::not_lmzip:
      return 4;
    case errc::unsupported:
    case errc::missing:
      return 6;
    default:
      return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: lmzip-decode-one ARCHIVE >PLAIN\n", stderr);
    return 1;
  }
  try {
    std::ifstream file(argv[1], std::ios::binary);
    if (!file) throw error(errc::io, "cannot open the archive");
    stream_source from(file);
    decode_archive(from);
    std::cout.flush();
    return std::cout ? 0 : 1;
  } catch (const error& fault) {
    std::fprintf(stderr, "lmzip: %s: %s\n", argv[1], fault.what());
    return exit_status(fault.code());
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "lmzip: %s: %s\n", argv[1], fault.what());
    return 1;
  }
}
