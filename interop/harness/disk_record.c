// Preloaded into a program: writes down what it does to the files below one folder, and what it sends, in the order in which it happened.
// DISK_RECORD names the journal, DISK_RECORD_BELOW the folder. `campaign/journal.py` reads it.
//
// A record: length of what follows the head (4), what (1), three bytes of nothing, two numbers (8 each), then a path, two paths with a
// zero byte between, or the bytes written or sent. A sync has two records: only what was written before the first is on the disk after
// the second. Writes through a mapping are not seen: SQLite's -shm is one, and is made anew from the -wal.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CREATE = 1, WRITE, LENGTH, RENAME, LINK, UNLINK, MKDIR, RMDIR, SYNC, SYNCED, SYNC_ALL, SYNCED_ALL, SEND };
struct head { uint32_t length; uint8_t what, nothing[3]; uint64_t first, second; };

static int journal = -1;
static char below[PATH_MAX];
static size_t below_length;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static uint64_t syncs;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define LOCKED(type, call, record) \
  pthread_mutex_lock(&order);      \
  type result = (call);            \
  int failure = errno;             \
  if (result >= 0) { record; }     \
  pthread_mutex_unlock(&order);    \
  errno = failure;                 \
  return result

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("DISK_RECORD"), *folder = getenv("DISK_RECORD_BELOW");
  if (!path || !folder || !realpath(folder, below)) return;
  below_length = strlen(below);
  journal = REAL(open)(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

static void note(uint8_t what, uint64_t first, uint64_t second, const void *bytes, size_t length) {
  struct head head = {.length = (uint32_t)length, .what = what, .first = first, .second = second};
  struct iovec pieces[2] = {{&head, sizeof head}, {(void *)bytes, length}};
  if (journal >= 0 && REAL(writev)(journal, pieces, 2) < 0) abort();
}

// Paths

static int is_below(const char *path) {
  return journal >= 0 && strncmp(path, below, below_length) == 0 && (path[below_length] == '/' || path[below_length] == 0);
}

/// The path of an open file; empty for none.
static void path_of(int file, char out[PATH_MAX]) {
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  ssize_t length = readlink(name, out, PATH_MAX - 1);
  out[length < 0 ? 0 : length] = 0;
}

/// A path as it stands in its folder, links in the folder's own path followed.
static void resolve(int folder, const char *path, char out[PATH_MAX]) {
  char whole[2 * PATH_MAX], base[PATH_MAX] = "";
  if (path[0] == '/') snprintf(whole, sizeof whole, "%s", path);
  else {
    if (folder == AT_FDCWD) { if (!getcwd(base, sizeof base)) base[0] = 0; } else path_of(folder, base);
    snprintf(whole, sizeof whole, "%s/%s", base, path);
  }
  char *slash = strrchr(whole, '/');
  char parent[PATH_MAX];
  *slash = 0;
  if (!realpath(whole[0] ? whole : "/", parent)) parent[0] = 0;
  if ((size_t)snprintf(out, PATH_MAX, "%s/%s", parent, slash + 1) >= PATH_MAX) out[0] = 0;
}

/// The number of an open file or folder below the folder; 0 for others.
static uint64_t number_of(int file) {
  struct stat status;
  char path[PATH_MAX];
  if (journal < 0 || file == journal || fstat(file, &status) != 0) return 0;
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return 0;
  path_of(file, path);
  return is_below(path) ? status.st_ino : 0;
}

static int is_socket(int file) {
  struct stat status;
  return journal >= 0 && fstat(file, &status) == 0 && S_ISSOCK(status.st_mode);
}

// Opening

static int opened(int folder, const char *path, int flags, int is_new, int file) {
  uint64_t number = file < 0 ? 0 : number_of(file);
  char name[PATH_MAX];
  if (number && is_new) {
    resolve(folder, path, name);
    note(CREATE, number, 0, name, strlen(name));
  } else if (number && (flags & O_TRUNC)) note(LENGTH, number, 0, NULL, 0);
  return file;
}

static int is_new(int folder, const char *path, int flags) {
  return journal >= 0 && (flags & O_CREAT) && faccessat(folder, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
}

static mode_t mode_of(int flags, va_list list) { return flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0; }
#define OPENING(folder, call)                    \
  va_list list;                                  \
  va_start(list, flags);                         \
  mode_t mode = mode_of(flags, list);            \
  va_end(list);                                  \
  if (!(flags & (O_CREAT | O_TRUNC))) return call; \
  pthread_mutex_lock(&order);                    \
  int fresh = is_new(folder, path, flags);       \
  int file = call, failure = errno;              \
  opened(folder, path, flags, fresh, file);      \
  pthread_mutex_unlock(&order);                  \
  errno = failure;                               \
  return file

int open(const char *path, int flags, ...) { OPENING(AT_FDCWD, REAL(open)(path, flags, mode)); }
int open64(const char *path, int flags, ...) { OPENING(AT_FDCWD, REAL(open64)(path, flags, mode)); }
int openat(int folder, const char *path, int flags, ...) { OPENING(folder, REAL(openat)(folder, path, flags, mode)); }
int openat64(int folder, const char *path, int flags, ...) { OPENING(folder, REAL(openat64)(folder, path, flags, mode)); }

static int made_temporary(int file) {
  char path[PATH_MAX];
  uint64_t number = file < 0 ? 0 : number_of(file);
  if (number) {
    path_of(file, path);
    note(CREATE, number, 0, path, strlen(path));
  }
  return file;
}
int mkstemp(char *path) { LOCKED(int, REAL(mkstemp)(path), made_temporary(result)); }
int mkstemp64(char *path) { LOCKED(int, REAL(mkstemp64)(path), made_temporary(result)); }

// Bytes

static void wrote(int file, off_t place, const struct iovec *pieces, size_t length) {
  uint64_t number = number_of(file);
  if (length == 0 || (!number && !is_socket(file))) return;
  char *bytes = malloc(length);
  size_t filled = 0;
  for (const struct iovec *piece = pieces; filled < length; piece++) {
    size_t part = piece->iov_len < length - filled ? piece->iov_len : length - filled;
    memcpy(bytes + filled, piece->iov_base, part);
    filled += part;
  }
  if (!number) note(SEND, (uint64_t)file, 0, bytes, length);
  else note(WRITE, number, (uint64_t)(place >= 0 ? place : lseek(file, 0, SEEK_CUR) - (off_t)length), bytes, length);
  free(bytes);
}

static int matters(int file) { return journal >= 0 && (is_socket(file) || number_of(file)); }
#define WRITING(call, place, pieces)     \
  if (!matters(file)) return call;       \
  LOCKED(ssize_t, call, wrote(file, place, pieces, (size_t)result))
#define ONE (&(struct iovec){(void *)bytes, count})

ssize_t write(int file, const void *bytes, size_t count) { WRITING(REAL(write)(file, bytes, count), -1, ONE); }
ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) { WRITING(REAL(pwrite)(file, bytes, count, place), place, ONE); }
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place) {
  WRITING(REAL(pwrite64)(file, bytes, count, place), place, ONE);
}
ssize_t writev(int file, const struct iovec *pieces, int count) { WRITING(REAL(writev)(file, pieces, count), -1, pieces); }
ssize_t pwritev(int file, const struct iovec *pieces, int count, off_t place) {
  WRITING(REAL(pwritev)(file, pieces, count, place), place, pieces);
}
ssize_t pwritev64(int file, const struct iovec *pieces, int count, off64_t place) {
  WRITING(REAL(pwritev64)(file, pieces, count, place), place, pieces);
}

// What leaves is noted before it leaves: who has it, has it later.
static void leaves(int file, const struct iovec *pieces, size_t length) {
  if (journal < 0) return;
  pthread_mutex_lock(&order);
  wrote(file, 0, pieces, length);
  pthread_mutex_unlock(&order);
}
ssize_t send(int file, const void *bytes, size_t count, int flags) {
  leaves(file, ONE, count);
  return REAL(send)(file, bytes, count, flags);
}
ssize_t sendto(int file, const void *bytes, size_t count, int flags, const struct sockaddr *to, socklen_t length) {
  leaves(file, ONE, count);
  return REAL(sendto)(file, bytes, count, flags, to, length);
}
ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
  size_t length = 0;
  for (size_t i = 0; i < message->msg_iovlen; i++) length += message->msg_iov[i].iov_len;
  leaves(file, message->msg_iov, length);
  return REAL(sendmsg)(file, message, flags);
}

static void cut(int file, off_t length) {
  uint64_t number = number_of(file);
  if (number) note(LENGTH, number, (uint64_t)length, NULL, 0);
}
int ftruncate(int file, off_t length) { LOCKED(int, REAL(ftruncate)(file, length), cut(file, length)); }
int ftruncate64(int file, off64_t length) { LOCKED(int, REAL(ftruncate64)(file, length), cut(file, length)); }

// Names

static void named(uint8_t what, uint64_t number, const char *path) {
  if (is_below(path)) note(what, number, 0, path, strlen(path));
}
static int renamed(int folder, const char *from, int to_folder, const char *to) {
  char both[2 * PATH_MAX], target[PATH_MAX];
  resolve(folder, from, both);
  resolve(to_folder, to, target);
  if (!is_below(both) && !is_below(target)) return 0;
  size_t length = strlen(both);
  memcpy(both + length + 1, target, strlen(target) + 1);
  note(RENAME, 0, 0, both, length + 1 + strlen(target));
  return 0;
}
int rename(const char *from, const char *to) { LOCKED(int, REAL(rename)(from, to), renamed(AT_FDCWD, from, AT_FDCWD, to)); }
int renameat(int a, const char *from, int b, const char *to) { LOCKED(int, REAL(renameat)(a, from, b, to), renamed(a, from, b, to)); }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
  LOCKED(int, REAL(renameat2)(a, from, b, to, flags), renamed(a, from, b, to));
}

static int linked(int folder, const char *to) {
  struct stat status;
  char path[PATH_MAX];
  resolve(folder, to, path);
  if (stat(path, &status) == 0) named(LINK, status.st_ino, path);
  return 0;
}
int link(const char *from, const char *to) { LOCKED(int, REAL(link)(from, to), linked(AT_FDCWD, to)); }
int linkat(int a, const char *from, int b, const char *to, int flags) { LOCKED(int, REAL(linkat)(a, from, b, to, flags), linked(b, to)); }

static int removed(int folder, const char *path, uint8_t what) {
  char name[PATH_MAX];
  resolve(folder, path, name);
  named(what, 0, name);
  return 0;
}
int unlink(const char *path) { LOCKED(int, REAL(unlink)(path), removed(AT_FDCWD, path, UNLINK)); }
int unlinkat(int folder, const char *path, int flags) {
  LOCKED(int, REAL(unlinkat)(folder, path, flags), removed(folder, path, flags & AT_REMOVEDIR ? RMDIR : UNLINK));
}
int rmdir(const char *path) { LOCKED(int, REAL(rmdir)(path), removed(AT_FDCWD, path, RMDIR)); }

static int made_folder(int folder, const char *path) {
  struct stat status;
  char name[PATH_MAX];
  resolve(folder, path, name);
  if (stat(name, &status) == 0) named(MKDIR, status.st_ino, name);
  return 0;
}
int mkdir(const char *path, mode_t mode) { LOCKED(int, REAL(mkdir)(path, mode), made_folder(AT_FDCWD, path)); }
int mkdirat(int folder, const char *path, mode_t mode) { LOCKED(int, REAL(mkdirat)(folder, path, mode), made_folder(folder, path)); }

/// `holdfast` asks for a rename that replaces nothing without the C library's function for it.
long syscall(long what, ...) {
  va_list list;
  va_start(list, what);
  long given[6];
  for (int i = 0; i < 6; i++) given[i] = va_arg(list, long);
  va_end(list);
#define CALL REAL(syscall)(what, given[0], given[1], given[2], given[3], given[4], given[5])
  if (what != SYS_renameat2 || journal < 0) return CALL;
  LOCKED(long, CALL, renamed((int)given[0], (const char *)given[1], (int)given[2], (const char *)given[3]));
}

// Syncs: others may write meanwhile, and what they write may not be on the disk afterwards.

static uint64_t sync_begins(uint8_t what, uint64_t file, uint64_t *number) {
  pthread_mutex_lock(&order);
  *number = ++syncs;
  note(what, file, *number, NULL, 0);
  pthread_mutex_unlock(&order);
  return file;
}
static int sync_ends(uint8_t what, uint64_t file, uint64_t number, int result) {
  int failure = errno;
  pthread_mutex_lock(&order);
  if (result == 0) note(what, file, number, NULL, 0);
  pthread_mutex_unlock(&order);
  errno = failure;
  return result;
}
#define SYNCING(call)                            \
  uint64_t number, which = number_of(file);      \
  if (!which) return call;                       \
  sync_begins(SYNC, which, &number);             \
  return sync_ends(SYNCED, which, number, call)

int fsync(int file) { SYNCING(REAL(fsync)(file)); }
int fdatasync(int file) { SYNCING(REAL(fdatasync)(file)); }
int sync_file_range(int file, off64_t place, off64_t count, unsigned flags) {
  return REAL(sync_file_range)(file, place, count, flags);  // promises nothing that a power cut respects
}
int syncfs(int file) {
  uint64_t number;
  if (journal < 0) return REAL(syncfs)(file);
  sync_begins(SYNC_ALL, 0, &number);
  return sync_ends(SYNCED_ALL, 0, number, REAL(syncfs)(file));
}
