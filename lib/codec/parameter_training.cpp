#include "codec/parameter_training.h"

#include "codec/parameter_file.h"
#include "codec/text/parameter_trainer.h"

namespace lmzip::codec {

std::vector<std::byte> train_parameter_file(
    const training_data& data, const std::function<void(const std::string&)>& on_progress) {
  std::vector<parameter_section> sections;
  const auto begin = [&](const std::string& name) {
    if (on_progress) on_progress(name);
  };
  text::train_sections(data, begin, sections);
  return pack_parameter_file(sections);
}

}  // namespace lmzip::codec
