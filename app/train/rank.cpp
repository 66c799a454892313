#include "app/train/rank.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "app/lmzip/names.h"
#include "lmzip/error.h"

namespace lmzip::train {
namespace {

constexpr std::int64_t most_ranks = 4096;

/// Ports for jobs, clear of those that systems hand out.
constexpr std::int64_t first_job_port = 20000;
constexpr std::int64_t job_ports = 10000;

std::optional<std::int64_t> number(const variables& environment, const char* name,
                                   std::int64_t most) {
  const char* const text = environment(name);
  if (text == nullptr || *text == 0) return std::nullopt;
  const std::string_view digits(text);
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (failure != std::errc() || end != digits.data() + digits.size() || value < 0 || value > most)
    throw error(errc::usage, fmt::format("{}={}: must be a number from 0 to {}", name,
                                         app::printable(digits), most));
  return value;
}

std::int64_t needed(const variables& environment, const char* name, std::int64_t most) {
  const auto value = number(environment, name, most);
  if (!value)
    throw error(errc::usage, fmt::format("{} is not set, but the number of ranks is", name));
  return *value;
}

std::string text(const variables& environment, const char* name) {
  const char* const value = environment(name);
  return value == nullptr ? "" : value;
}

rank checked(rank r, const variables& environment) {
  if (r.count < 1 || r.number >= r.count)
    throw error(errc::usage, fmt::format("there is no rank {} of {}", r.number, r.count));
  if (const std::string given = text(environment, "MASTER_ADDR"); !given.empty()) r.address = given;
  if (const auto port = number(environment, "MASTER_PORT", 65535))
    r.port = static_cast<std::uint16_t>(*port);
  if (r.count > 1 && r.address.empty())
    throw error(errc::usage, "MASTER_ADDR is not set, but the number of ranks is");
  return r;
}

}  // namespace

std::string first_host(std::string_view list) {
  const std::size_t open = list.find_first_of("[,");
  if (open == list.npos || list[open] == ',') return std::string(list.substr(0, open));
  const std::size_t end = list.find_first_of("-,]", open);
  const std::size_t close = list.find(']', open);
  if (close == list.npos) throw error(errc::usage, "a list of hosts with a bracket left open");
  const std::size_t after = list.find(',', close);
  return std::string(list.substr(0, open)) + std::string(list.substr(open + 1, end - open - 1)) +
         std::string(list.substr(close + 1, after == list.npos ? after : after - close - 1));
}

rank rank_from(const variables& environment) {
  rank r;
  if (const auto count = number(environment, "WORLD_SIZE", most_ranks)) {
    r.count = *count;
    r.number = needed(environment, "RANK", most_ranks);
    r.local = number(environment, "LOCAL_RANK", most_ranks).value_or(r.number);
    return checked(r, environment);
  }
  const auto number_in_job = number(environment, "SLURM_PROCID", most_ranks);
  if (!number_in_job) return r;
  auto count = number(environment, "SLURM_STEP_NUM_TASKS", most_ranks);
  if (!count) count = number(environment, "SLURM_NTASKS", most_ranks);
  r.number = *number_in_job;
  r.count = count.value_or(1);
  r.local = number(environment, "SLURM_LOCALID", most_ranks).value_or(0);
  std::string hosts = text(environment, "SLURM_STEP_NODELIST");
  if (hosts.empty()) hosts = text(environment, "SLURM_JOB_NODELIST");
  r.address = first_host(hosts);
  const auto job = number(environment, "SLURM_JOB_ID", std::int64_t{1} << 40).value_or(0);
  r.port = static_cast<std::uint16_t>(first_job_port + job % job_ports);
  return checked(r, environment);
}

}  // namespace lmzip::train
