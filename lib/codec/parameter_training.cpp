#include "codec/parameter_training.h"

#include "codec/bwt/bwt_block.h"
#include "codec/parameter_file.h"
#include "codec/text/parameter_trainer.h"
#include "codec/tokens/tokens_data.h"
#include "codec/tokens/value_trainer.h"

namespace lmzip::codec {

std::vector<std::byte> train_parameter_file(
    const training_data& data, const std::function<void(const std::string&)>& on_progress) {
  std::vector<parameter_section> sections;
  const auto begin = [&](const std::string& name) {
    if (on_progress) on_progress(name);
  };
  text::train_sections(data, begin, sections);
  begin(tokens::start_section);
  sections.push_back({tokens::start_section, tokens::train_values(data.text, {})});
  begin(bwt::start_section);
  sections.push_back({bwt::start_section, bwt::train_run_tables(data.text)});
  return pack_parameter_file(sections);
}

}  // namespace lmzip::codec
