#include "app/train/output_file.h"

#include <span>

namespace lmzip::train {

output_file::output_file(const std::string& path) : file_(path) {
  file_.handle().set_mode(io::new_file_mode());
}

void output_file::finish(const std::string& text) {
  file_.handle().write(std::as_bytes(std::span(text)));
  file_.commit(true, false);
}

}  // namespace lmzip::train
