#pragma once

#include <functional>
#include <string>
#include <vector>

#include "codec/parameter_file.h"
#include "codec/parameter_training.h"

namespace lmzip::codec::text {

/// Appends the sections of the context-mixing codec: the n-grams, and what each strength and kind
/// of symbols starts from. Those are learned by coding data in independent blocks, carrying the
/// parameters over from block to block while the hash tables start empty, on a part of the text
/// that the n-grams have not seen. `on_progress` is told the name of each before it is made.
void train_sections(const training_data& data,
                    const std::function<void(const std::string&)>& on_progress,
                    std::vector<parameter_section>& sections);

}  // namespace lmzip::codec::text
