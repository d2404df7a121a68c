// sync FILE PAUSE: what one sync of a log costs here. Appends 500 times as much as one request does, and waits for the disk each time.
// After each sync it pauses for PAUSE microseconds: a sync right after another is faster than one after a rest. Prints the median in
// milliseconds.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { rounds = 500, request_bytes = 944 };

static double milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static int ascending(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const struct timespec pause = {.tv_nsec = atol(argv[2]) * 1000};
  int file = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return 1;
  static char bytes[request_bytes];
  static double took[rounds];
  for (int i = 0; i < rounds; i++) {
    double start = milliseconds();
    if (write(file, bytes, sizeof bytes) != sizeof bytes || fdatasync(file)) return 1;
    took[i] = milliseconds() - start;
    if (pause.tv_nsec) nanosleep(&pause, NULL);
  }
  close(file);
  unlink(argv[1]);
  qsort(took, rounds, sizeof took[0], ascending);
  printf("%.3f\n", took[rounds / 2]);
  return 0;
}
