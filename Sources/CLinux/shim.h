#pragma once
// System calls and structures that Swift's Glibc module leaves out. Not for other code.
#include <malloc.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

// prctl is variadic.
static inline int holdfast_prctl(int option, unsigned long value) {
  return prctl(option, value, 0UL, 0UL, 0UL);
}
// Swift sees RLIMIT_CORE as one of two types, by the C library's mood.
static inline int holdfast_forbid_core_files(void) {
  struct rlimit none = {0, 0};
  return setrlimit(RLIMIT_CORE, &none);
}
// Lets the process have as many files and sockets open as it may, `most` of them at the most.
static inline void holdfast_raise_open_files(unsigned long most) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= most) return;
  limit.rlim_cur = limit.rlim_max < most ? limit.rlim_max : most;
  setrlimit(RLIMIT_NOFILE, &limit);
}
// Gives free heap pages back to the system.
static inline void holdfast_give_memory_back(void) { malloc_trim(0); }
enum {
  HOLDFAST_PR_SET_DUMPABLE = PR_SET_DUMPABLE,
  HOLDFAST_PR_GET_DUMPABLE = PR_GET_DUMPABLE,
  HOLDFAST_PR_SET_NO_NEW_PRIVS = PR_SET_NO_NEW_PRIVS,
  HOLDFAST_PR_GET_NO_NEW_PRIVS = PR_GET_NO_NEW_PRIVS
};
// `struct ucred` needs _GNU_SOURCE, which must not be defined in a module (it changes fd_set): same layout, own name.
struct holdfast_peer_credentials { int pid; unsigned int uid; unsigned int gid; };
static inline int holdfast_peer_credentials_of(int socket, struct holdfast_peer_credentials *out) {
  socklen_t length = sizeof *out;
  return getsockopt(socket, SOL_SOCKET, 17 /* SO_PEERCRED */, out, &length);
}

#include <errno.h>
// A descriptor of the process at the other end of a Unix socket: that of the kernel (since Linux 6.5), on older ones that of its number.
// -1 when it has ended.
#include <sys/syscall.h>
#include <unistd.h>
long syscall(long number, ...);  // hidden without _GNU_SOURCE
static inline int holdfast_open_process(int pid) { return pid > 0 ? (int)syscall(434 /* SYS_pidfd_open */, pid, 0) : -1; }
static inline int holdfast_peer_process(int socket, int pid) {
  int descriptor = -1;
  socklen_t length = sizeof descriptor;
  if (getsockopt(socket, SOL_SOCKET, 77 /* SO_PEERPIDFD */, &descriptor, &length) == 0) return descriptor;
  return errno == ENOPROTOOPT ? holdfast_open_process(pid) : -1;
}

// What is known of a file without asking its file system, which may be another program that does not answer (FUSE). 0 when known.
#include <linux/stat.h>
struct holdfast_file_state { unsigned long long device, inode, size, mount; long long modified, changed; };
static inline int holdfast_file_state_of(int folder, const char *path, struct holdfast_file_state *out) {
  struct statx about;
  const unsigned int wanted = STATX_INO | STATX_SIZE | STATX_MTIME | STATX_CTIME | 0x1000 /* STATX_MNT_ID */;
  const int how = 0x4000 /* AT_STATX_DONT_SYNC */ | 0x1000 /* AT_EMPTY_PATH */;
  if (syscall(SYS_statx, folder, path, how, wanted, &about) != 0) return -1;
  out->mount = about.stx_mask & 0x1000 ? about.stx_mnt_id : 0;
  out->device = ((unsigned long long)about.stx_dev_major << 32) | about.stx_dev_minor;
  out->inode = about.stx_ino;
  out->size = about.stx_size;
  out->modified = about.stx_mtime.tv_sec * 1000000000LL + about.stx_mtime.tv_nsec;
  out->changed = about.stx_ctime.tv_sec * 1000000000LL + about.stx_ctime.tv_nsec;
  return 0;
}

// Takes the one exclusive lock on a file, trying for up to 300 ms: a process that is ending, or a child that has not yet become
// another program, may hold it for a moment. 0 when taken, else -1 and errno.
#include <errno.h>
#include <sys/file.h>
#include <time.h>
static inline int holdfast_lock_file(int descriptor) {
  const struct timespec pause = {0, 10000000};
  for (int attempt = 0; attempt < 30; attempt++) {
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return 0;
    if (errno != EWOULDBLOCK) return -1;
    nanosleep(&pause, (struct timespec *)0);
  }
  errno = EWOULDBLOCK;
  return -1;
}

// 1 if somebody else has the kernel's lock on a file, 0 if nobody has it, -1 and errno if that cannot be seen.
static inline int holdfast_is_locked(int descriptor) {
  if (flock(descriptor, LOCK_SH | LOCK_NB) == 0) {
    flock(descriptor, LOCK_UN);
    return 0;
  }
  return errno == EWOULDBLOCK ? 1 : -1;
}

// Reserves space on the disk for a part of a file, also after its end; its length stays. 0 when reserved, else -1 and errno.
#include <linux/falloc.h>
#include <sys/syscall.h>
#include <unistd.h>
static inline int holdfast_allocate(int descriptor, off_t offset, off_t length) {
  return (int)syscall(SYS_fallocate, descriptor, FALLOC_FL_KEEP_SIZE, offset, length);
}

// Has the disk begin with what was written to a file from `offset` on, and does not wait for it. It is not on the disk before fdatasync.
// 0, or -1 and errno.
static inline int holdfast_start_writing(int descriptor, off_t offset) {
  return (int)syscall(SYS_sync_file_range, descriptor, offset, (off_t)0, 2 /* SYNC_FILE_RANGE_WRITE */);
}

// For `doctor`: what the kernel says about limits, the clock and its randomness. RLIMIT_MEMLOCK and adjtimex are not in Swift's
// Glibc module in one form.
#include <string.h>
#include <sys/random.h>
#include <sys/timex.h>
static inline unsigned long long holdfast_lockable_bytes(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_MEMLOCK, &limit) == 0 ? limit.rlim_cur : 0;
}
static inline unsigned long long holdfast_core_bytes(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_CORE, &limit) == 0 ? limit.rlim_cur : 0;
}
// 1 when something keeps the clock right, 0 when nothing does, -1 when the kernel does not say.
static inline int holdfast_clock_is_kept(void) {
  struct timex state;
  memset(&state, 0, sizeof state);
  int answer = adjtimex(&state);
  if (answer < 0) return -1;
  return answer != TIME_ERROR && !(state.status & STA_UNSYNC);
}
// Whether random bytes can be had without waiting.
static inline int holdfast_random_is_ready(void) {
  unsigned char byte;
  return getrandom(&byte, 1, GRND_NONBLOCK) == 1;
}

// A timer that goes on while the machine sleeps. Blocking reads; 0 milliseconds: goes off at once.
#include <sys/timerfd.h>
static inline int holdfast_boot_timer(void) { return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC); }
static inline int holdfast_set_boot_timer(int timer, long long milliseconds) {
  struct itimerspec when;
  memset(&when, 0, sizeof when);
  when.it_value.tv_sec = (time_t)(milliseconds / 1000);
  when.it_value.tv_nsec = (long)(milliseconds % 1000) * 1000000;
  if (milliseconds <= 0) when.it_value.tv_nsec = 1;  // zero would disarm it
  return timerfd_settime(timer, 0, &when, (struct itimerspec *)0);
}

// Renames where nothing of the new name is; -1 and EEXIST where there is. File systems without that flag get a second name by a
// hard link, and those without links (FAT) a check before the renaming.
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
long syscall(long number, ...);  // hidden without _GNU_SOURCE
static inline int holdfast_rename_new(const char *from, const char *to) {
  if (syscall(SYS_renameat2, -100 /* AT_FDCWD */, from, -100, to, 1u /* RENAME_NOREPLACE */) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  if (link(from, to) == 0) return unlink(from);
  if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS) return -1;
  if (access(to, F_OK) == 0) {
    errno = EEXIST;
    return -1;
  }
  return rename(from, to);
}
