#include "core/io/signals.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <atomic>

#include "core/io/temporary_file.h"
#include "lmzip/error.h"

namespace lmzip::io {
namespace {

constexpr std::array ending_signals = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU, SIGXFSZ};

std::atomic<int> caught{0};
std::atomic<bool> status_requested{false};
static_assert(std::atomic<int>::is_always_lock_free);

// What was installed before: the ending signals, then USR1, then ALRM.
std::array<struct sigaction, ending_signals.size() + 2> previous;

// The handlers use only what POSIX allows in handlers, and setitimer(), a bare system call.
[[noreturn]] void end_now() noexcept {
  remove_temporary_files();
  die_by_signal(caught.load());
}

void set_timer(int milliseconds) noexcept {
  struct itimerval timer = {};
  timer.it_value.tv_sec = milliseconds / 1000;
  timer.it_value.tv_usec = milliseconds % 1000 * 1000;
  (void)::setitimer(ITIMER_REAL, &timer, nullptr);
}

extern "C" void on_ending_signal(int number) {
  int none = 0;
  if (!caught.compare_exchange_strong(none, number)) end_now();
  set_timer(signal_watch::grace_milliseconds);
}

extern "C" void on_alarm(int) {
  if (caught.load() != 0) end_now();
}

extern "C" void on_status_signal(int) { status_requested = true; }

void install(int number, void (*handler)(int), struct sigaction& old, bool even_if_ignored) {
  ::sigaction(number, nullptr, &old);
  if (old.sa_handler == SIG_IGN && !even_if_ignored) return;
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  // No SA_RESTART: a read that waits for a pipe has to return.
  ::sigaction(number, &action, nullptr);
}

}  // namespace

signal_watch::signal_watch() {
  install(SIGALRM, on_alarm, previous[ending_signals.size() + 1], true);
  install(SIGUSR1, on_status_signal, previous[ending_signals.size()], false);
  for (std::size_t i = 0; i < ending_signals.size(); ++i) {
    install(ending_signals[i], on_ending_signal, previous[i], false);
  }
}

signal_watch::~signal_watch() {
  set_timer(0);
  for (std::size_t i = 0; i < ending_signals.size(); ++i) {
    ::sigaction(ending_signals[i], &previous[i], nullptr);
  }
  ::sigaction(SIGUSR1, &previous[ending_signals.size()], nullptr);
  ::sigaction(SIGALRM, &previous[ending_signals.size() + 1], nullptr);
}

int pending_signal() noexcept { return caught.load(); }

void throw_if_interrupted() {
  if (pending_signal() != 0) throw error(errc::canceled, "interrupted");
}

bool take_status_request() noexcept { return status_requested.exchange(false); }

void die_by_signal(int number) noexcept {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  ::sigaction(number, &action, nullptr);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  ::raise(number);
  ::_exit(128 + number);
}

}  // namespace lmzip::io
