// lmzip inside Boost.Iostreams chains: writes a compressed file as an std::ostream, reads it back
// as an std::istream, line by line.
//   g++ -std=c++20 boost_iostreams.cpp $(pkg-config --cflags --libs lmzip) -lboost_iostreams
//   ./a.out FILE.lmz

#include <lmzip/boost_filters.h>
#include <lmzip/error.h>

#include <boost/iostreams/close.hpp>
#include <boost/iostreams/device/file.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <exception>
#include <iostream>
#include <string>

namespace io = boost::iostreams;

namespace {

void write_lines(const std::string& name, int count) {
  io::filtering_ostream out;
  out.push(lmzip::compress_filter({.level = 3}));
  out.push(io::file_sink(name, std::ios::binary));
  out.exceptions(std::ios::badbit);  // after the chain is complete
  for (int i = 0; i < count; ++i) out << "line " << i << " of the log\n";
  io::close(out);  // the end of the archive is written here; it may throw
}

int count_lines(const std::string& name) {
  io::filtering_istream in;
  in.push(lmzip::decompress_filter());
  in.push(io::file_source(name, std::ios::binary));
  in.exceptions(std::ios::badbit);  // a damaged archive throws lmzip::error
  int count = 0;
  for (std::string line; std::getline(in, line);) ++count;
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: boost_iostreams FILE.lmz\n";
    return 1;
  }
  try {
    write_lines(argv[1], 10000);
    std::cout << count_lines(argv[1]) << " lines read back\n";
    return 0;
  } catch (const std::exception& failure) {
    std::cerr << "boost_iostreams: " << failure.what() << '\n';
    return 1;
  }
}
