// Preloaded into a program: its disk fills up, or it is killed, at the n-th call that counts. Three numbers of 64 bits in the file
// named by DISK_FAULTS say which: what is to happen (0 nothing, 1 a kill, 2 a full disk), at which call, and how many were made.
//
// A kill counts what makes changes last or takes a name: fsync, fdatasync, rename, unlink, ftruncate. It comes in their place.
// A full disk counts what needs room: writes behind the end of a regular file, new files and new folders. Each fails from then on.
// Pipes, sockets and terminals do not count.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { NOTHING, KILL, FULL };
struct plan { int64_t what, at, count; };
static volatile struct plan *plan;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void open_file(void) {
  const char *path = getenv("DISK_FAULTS");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  void *page = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (page != MAP_FAILED) plan = page;
  if (file >= 0) close(file);
}

static void may_be_killed(void) {
  if (!plan || plan->what != KILL) return;
  int64_t number = __atomic_add_fetch(&plan->count, 1, __ATOMIC_SEQ_CST);
  if (number == plan->at) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
  }
}

static int is_full(void) {
  if (!plan || plan->what != FULL) return 0;
  int64_t number = __atomic_add_fetch(&plan->count, 1, __ATOMIC_SEQ_CST);
  if (number < plan->at) return 0;
  errno = ENOSPC;
  return 1;
}

/// Whether a write of so many bytes at a place makes the file longer. A place below zero: where the file stands.
static int needs_room(int file, off_t place, size_t count) {
  struct stat status;
  if (!plan || count == 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  int flags = fcntl(file, F_GETFL);
  if (place < 0) place = flags >= 0 && (flags & O_APPEND) ? status.st_size : lseek(file, 0, SEEK_CUR);
  return place + (off_t)count > status.st_size;
}

int fsync(int file) { may_be_killed(); return REAL(fsync)(file); }
int fdatasync(int file) { may_be_killed(); return REAL(fdatasync)(file); }
int rename(const char *from, const char *to) { may_be_killed(); return REAL(rename)(from, to); }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
  may_be_killed();
  return REAL(renameat2)(a, from, b, to, flags);
}
int unlink(const char *path) { may_be_killed(); return REAL(unlink)(path); }
int unlinkat(int folder, const char *path, int flags) { may_be_killed(); return REAL(unlinkat)(folder, path, flags); }
int ftruncate(int file, off_t length) { may_be_killed(); return REAL(ftruncate)(file, length); }
int ftruncate64(int file, off64_t length) { may_be_killed(); return REAL(ftruncate64)(file, length); }

ssize_t write(int file, const void *bytes, size_t count) {
  if (needs_room(file, -1, count) && is_full()) return -1;
  return REAL(write)(file, bytes, count);
}
ssize_t writev(int file, const struct iovec *pieces, int count) {
  size_t length = 0;
  for (int i = 0; i < count; i++) length += pieces[i].iov_len;
  if (needs_room(file, -1, length) && is_full()) return -1;
  return REAL(writev)(file, pieces, count);
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) {
  if (needs_room(file, place, count) && is_full()) return -1;
  return REAL(pwrite)(file, bytes, count, place);
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place) {
  if (needs_room(file, place, count) && is_full()) return -1;
  return REAL(pwrite64)(file, bytes, count, place);
}
int mkdir(const char *path, mode_t mode) { return is_full() ? -1 : REAL(mkdir)(path, mode); }

static int is_new(int folder, const char *path, int flags) {
  return plan && (flags & O_CREAT) && faccessat(folder, path, F_OK, 0) != 0;
}
static mode_t mode_of(int flags, va_list list) { return flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0; }
#define OPENING(flags) va_list list; va_start(list, flags); mode_t mode = mode_of(flags, list); va_end(list)

int open(const char *path, int flags, ...) {
  OPENING(flags);
  return is_new(AT_FDCWD, path, flags) && is_full() ? -1 : REAL(open)(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  OPENING(flags);
  return is_new(AT_FDCWD, path, flags) && is_full() ? -1 : REAL(open64)(path, flags, mode);
}
int openat(int folder, const char *path, int flags, ...) {
  OPENING(flags);
  return is_new(folder, path, flags) && is_full() ? -1 : REAL(openat)(folder, path, flags, mode);
}
