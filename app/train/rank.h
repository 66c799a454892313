#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace lmzip::train {

/// Which of the processes that train together this one is, and where the first one waits.
struct rank {
  std::int64_t number = 0;
  std::int64_t count = 1;
  std::int64_t local = 0;  ///< among those of this machine: number of its accelerator
  std::string address;     ///< of rank 0
  std::uint16_t port = 29500;
};

/// A variable's value, or nullptr.
using variables = std::function<const char*(const char* name)>;

/// Takes RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and MASTER_PORT, as torchrun sets them; or, if
/// there is no WORLD_SIZE, what Slurm's srun sets: SLURM_PROCID, SLURM_NTASKS (of the step:
/// SLURM_STEP_NUM_TASKS), SLURM_LOCALID, the first host of SLURM_STEP_NODELIST or
/// SLURM_JOB_NODELIST, and a port made of SLURM_JOB_ID, unless MASTER_ADDR and MASTER_PORT say
/// otherwise. Without either, one rank. Throws error(usage) for what is no number, is missing or
/// contradicts.
rank rank_from(const variables& environment);

/// The first of a Slurm list of hosts such as "node[07-09,12],login2": node07.
std::string first_host(std::string_view list);

}  // namespace lmzip::train
