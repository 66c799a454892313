#pragma once

namespace lmzip::io {

/// While one exists, the signals that ask the process to end (INT, TERM, HUP, PIPE, XCPU, XFSZ)
/// only set a flag, pending_signal(): reading and writing files then throws error(canceled) or
/// file_error, ordinary code cleans up, and die_by_signal() ends the process as the signal would
/// have done. Signals that the parent ignored stay ignored. Work that is not done
/// `grace_milliseconds` later, or at a second signal, is cut short: the handler itself removes the
/// temporary files and ends the process.
///
/// USR1 sets a flag too, see take_status_request(). At most one signal_watch exists at a time.
class signal_watch {
 public:
  static constexpr int grace_milliseconds = 500;

  signal_watch();
  signal_watch(const signal_watch&) = delete;
  signal_watch& operator=(const signal_watch&) = delete;
  ~signal_watch();
};

/// The signal that asked the process to end, or 0. Safe to call from any thread.
int pending_signal() noexcept;

/// Throws error(canceled) if there is a pending_signal().
void throw_if_interrupted();

/// True once after each USR1.
bool take_status_request() noexcept;

/// Ends the process by the default action of `signal`, so that the parent sees 128 + signal.
[[noreturn]] void die_by_signal(int signal) noexcept;

}  // namespace lmzip::io
