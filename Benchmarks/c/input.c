#include "input.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static slice map_file(const char *path) {
  struct stat status;
  int file = open(path, O_RDONLY);
  if (file < 0 || fstat(file, &status) != 0) {
    perror(path);
    exit(1);
  }
  void *at = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
  close(file);
  if (at == MAP_FAILED) {
    perror(path);
    exit(1);
  }
  return slice_of(at, (size_t)status.st_size);
}

static bool next_line(slice *rest, slice *line) {
  const uint8_t *end = memchr(rest->at, '\n', rest->length);
  if (!end) return false;
  *line = slice_of(rest->at, (size_t)(end - rest->at));
  *rest = slice_of(end + 1, rest->length - line->length - 1);
  return true;
}

// The value of `name value`.
static slice header(slice *rest, const char *name) {
  slice line = {0};
  size_t length = strlen(name);
  if (next_line(rest, &line) && line.length > length + 1 && memcmp(line.at, name, length) == 0)
    return slice_of(line.at + length + 1, line.length - length - 1);
  fprintf(stderr, "the input file has no line for %s\n", name);
  exit(1);
}

static void key(slice *rest, const char *name, uint8_t out[32]) {
  if (hex_decode(header(rest, name), out, 32)) return;
  fprintf(stderr, "the input file's %s is not 64 hex digits\n", name);
  exit(1);
}

static size_t number(slice *rest, const char *name) { return strtoull((const char *)header(rest, name).at, NULL, 10); }

static void read_pairings(slice *rest, input *in) {
  in->pairing_count = number(rest, "pairings");
  in->pairings = calloc(in->pairing_count + 1, sizeof *in->pairings);
  for (size_t i = 0; i < in->pairing_count; i++) {
    key(rest, "client", in->pairings[i].client);
    key(rest, "transport", in->pairings[i].transport);
  }
}

void input_read(const char *path, input *in) {
  slice rest = map_file(path), line;
  in->now = (int64_t)number(&rest, "now");
  key(&rest, "user", in->user);
  read_pairings(&rest, in);
  size_t capacity = number(&rest, "messages");
  in->messages = calloc(capacity + 1, sizeof *in->messages);
  for (in->count = 0; in->count < capacity && next_line(&rest, &line); in->count++) in->messages[in->count] = line;
  if (in->count > 0 && in->count == capacity) return;
  fprintf(stderr, "the input file is cut short\n");
  exit(1);
}
