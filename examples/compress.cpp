// Compresses standard input to standard output, or with -d decompresses it, through the C++
// interface:
//   g++ -std=c++20 compress.cpp $(pkg-config --cflags --libs lmzip) -o compress
//   ./compress <notes.txt >notes.lmz && ./compress -d <notes.lmz

#include <lmzip/compress.h>
#include <lmzip/decompress.h>
#include <lmzip/error.h>
#include <lmzip/stream.h>

#include <cstdio>
#include <exception>
#include <string_view>

namespace {

// lmzip reads from a source and writes to a sink: two small classes for any kind of stream.
class stdin_source final : public lmzip::source {
 public:
  std::size_t read(std::span<std::byte> out) override {
    const std::size_t count = std::fread(out.data(), 1, out.size(), stdin);
    if (std::ferror(stdin) != 0) throw lmzip::error(lmzip::errc::io, "cannot read");
    return count;
  }
};

class stdout_sink final : public lmzip::sink {
 public:
  void write(std::span<const std::byte> data) override {
    if (std::fwrite(data.data(), 1, data.size(), stdout) != data.size())
      throw lmzip::error(lmzip::errc::io, "cannot write");
  }
};

}  // namespace

int main(int argc, char** argv) {
  try {
    stdin_source in;
    stdout_sink out;
    lmzip::totals done;
    if (argc > 1 && std::string_view(argv[1]) == "-d") {
      lmzip::decompress_options options;
      options.threads = 0;  // one per core
      done = lmzip::decompress(in, out, options);
    } else {
      lmzip::compress_options options;
      options.level = 6;
      options.threads = 0;
      options.verify = true;  // decode every block before it is written
      done = lmzip::compress(in, out, options);
    }
    if (std::fflush(stdout) != 0) throw lmzip::error(lmzip::errc::io, "cannot write");
    std::fprintf(stderr, "%llu plain bytes, %llu archive bytes\n",
                 static_cast<unsigned long long>(done.plain_bytes),
                 static_cast<unsigned long long>(done.coded_bytes));
    return 0;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "compress: %s\n", failure.what());
    return 1;
  }
}
