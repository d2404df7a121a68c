#pragma once
// What a process for somebody else's code gives up. Not for other code.
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
long syscall(long number, ...);  // hidden without _GNU_SOURCE

enum {
  HOLDFAST_PR_SET_PDEATHSIG = PR_SET_PDEATHSIG,
  // Hidden without _GNU_SOURCE; the same number on every machine that Swift is built for.
  HOLDFAST_O_PATH = 010000000,
  HOLDFAST_LIMIT_CPU = RLIMIT_CPU,
  HOLDFAST_LIMIT_FILE_SIZE = RLIMIT_FSIZE,
  HOLDFAST_LIMIT_OPEN_FILES = RLIMIT_NOFILE
};

// Closes every file from `first` on in the program that is started. Swift's Glibc module leaves it out.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
static inline int holdfast_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

// Lowers both halves of a limit; one that is lower already stays.
static inline void holdfast_lower_limit(int which, unsigned long most) {
  struct rlimit limit;
  if (getrlimit(which, &limit) != 0) return;
  if (limit.rlim_max > most) limit.rlim_max = most;
  if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
  setrlimit(which, &limit);
}

// Lets the process take so many bytes of memory more than it has. A sanitizer's shadow is not counted so.
#include <stdio.h>
static inline void holdfast_limit_more_memory(unsigned long bytes) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file) return;
  // Size, resident, shared, text, library, data: the sixth.
  int found = fscanf(file, "%*u %*u %*u %*u %*u %lu", &pages);
  fclose(file);
  if (found == 1) holdfast_lower_limit(RLIMIT_DATA, pages * (unsigned long)sysconf(_SC_PAGESIZE) + bytes);
}

// Gives up every capability, also for programs that are started later. Nothing to do for ordinary users.
static inline void holdfast_drop_capabilities(void) {
  struct { unsigned version; int process; } header = {0x20080522 /* _LINUX_CAPABILITY_VERSION_3 */, 0};
  struct { unsigned effective, permitted, inheritable; } none[2] = {{0, 0, 0}, {0, 0, 0}};
  for (unsigned long capability = 0; capability < 64; capability++) prctl(PR_CAPBSET_DROP, capability, 0UL, 0UL, 0UL);
  syscall(SYS_capset, &header, none);
}
