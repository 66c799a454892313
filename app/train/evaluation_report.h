#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "app/train/evaluation.h"

namespace lmzip::train {

/// All that was measured.
struct evaluation_report {
  evaluation_options options;
  measured_models models;
  std::string checkpoint;  ///< that was measured; empty: none
  std::vector<text_result> texts;
  text_result total;
  std::uint64_t peak_memory_bytes = 0;  ///< of the whole process
};

enum class table_style { plain, markdown };

/// Three tables, of texts, coders and networks, and a few lines about models and memory.
std::string tables_of(const evaluation_report& report, table_style style);

/// An object on one line.
std::string json_of(const evaluation_report& report);

/// Of this program.
std::string version();

/// Leaves that the models choose among.
std::uint32_t leaves_of(const measured_models& models);

/// Weights of the float model.
std::uint64_t weights_of(const measured_models& models);

/// Bits a byte of each text by the network alone, with adaptation and in the archive, as SVG bars.
std::string picture_of(const evaluation_report& report);

}  // namespace lmzip::train
