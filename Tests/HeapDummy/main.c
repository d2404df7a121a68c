// A program for one suite: it has the wiping heap and does with it what its argument says. 0 is success; other codes name the fault.
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// Through pointers that no compiler knows: it would leave out what is freed and not read.
static void *(*volatile take)(size_t) = malloc;
static void *(*volatile take_zeros)(size_t, size_t) = calloc;
static void *(*volatile take_aligned)(size_t, size_t) = aligned_alloc;
static void *(*volatile change)(void *, size_t) = realloc;
static void (*volatile give_back)(void *) = free;

enum { MARK = 0xa5, MIB = 1 << 20 };

// Longer than a thread's cache has places for blocks of one size.
enum { MANY = 32 };

// How many words hold nothing but marks. Single bytes of what the C library writes look like one now and then.
static size_t marks(const void *block, size_t count) {
  const volatile uint64_t *words = block;
  size_t found = 0;
  for (size_t i = 0; i < count / sizeof *words; i++) found += words[i] == 0x0101010101010101u * MARK;
  return found;
}

static void *marked(void *block, size_t count) { return memset(block, MARK, count); }

// Nothing of a block is left in its place, whether a thread's cache takes it or a bin, and whatever lies beside it.
static int leaves_nothing(void) {
  static const size_t sizes[] = {1, 8, 16, 24, 25, 40, 100, 128, 1000, 1032, 1040, 5000, 70000, 300000};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    void *blocks[3 * MANY];
    size_t room[3 * MANY];
    for (int i = 0; i < 3 * MANY; i++) {
      blocks[i] = i < MANY ? take(sizes[s]) : i < 2 * MANY ? take_aligned(64, sizes[s]) : take_zeros(1, sizes[s]);
      if (blocks[i] == NULL) return 2;
      room[i] = malloc_usable_size(blocks[i]);
      marked(blocks[i], room[i]);
    }
    void *last = take(sizes[s]);  // keeps the heap's end where it is
    // Every other one, then the rest: some find a free neighbour and are joined with it.
    for (int odd = 0; odd < 2; odd++) {
      for (int i = odd; i < 3 * MANY; i += 2) {
        give_back(blocks[i]);
        if (marks(blocks[i], room[i]) > 0) return 3;
      }
    }
    give_back(last);
  }
  return 0;
}

// What moved when it grew or shrank is whole in the new place and gone from the old.
static int moves_without_a_copy(void) {
  for (size_t size = 32; size < 200000; size = size * 3 / 32 * 32 + 32) {
    unsigned char *old = marked(take(size), size);
    void *behind = take(size);  // no room to grow in place
    unsigned char *new = change(old, size * 2 + 64);
    if (new == old || marks(new, size) != size / 8) return 4;
    if (marks(old, size) > 0) return 5;
    unsigned char *small = change(new, size / 4 + 1);
    if (marks(small, size / 4) != size / 32) return 6;
    if (small != new && marks(new, size) > 0) return 7;
    give_back(small);
    give_back(behind);
  }
  return 0;
}

static long peak_kib(void) {
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  return use.ru_maxrss;
}

// A gigabyte that nobody touches is zeros, and costs nothing when it comes and when it goes.
static int touches_nothing(void) {
  long before = peak_kib();
  volatile unsigned char *block = take_zeros(1024, MIB);
  if (block == NULL) return 2;
  for (size_t at = 0; at < 1024; at += 64) {
    if (block[at * MIB] != 0) return 8;
  }
  give_back((void *)block);
  return peak_kib() - before < 16 * 1024 ? 0 : 9;
}

// Growing by steps moves pages: each is touched once, by whoever writes to it.
static int grows_by_moving(size_t to, size_t step) {
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  unsigned char *block = NULL;
  for (size_t size = step; size <= to; size += step) {
    block = change(block, size);
    if (block == NULL) return 2;
    block[size - 1] = MARK;
  }
  for (size_t size = step; size <= to; size += step) {
    if (block[size - 1] != MARK) return 10;
  }
  getrusage(RUSAGE_SELF, &after);
  give_back(block);
  return after.ru_minflt - before.ru_minflt < (long)(2 * (to / step) + 1024) ? 0 : 11;
}

// Also once a large block came and went, after which the C library would keep larger and larger ones on the heap.
static int grows(void) {
  give_back(take(31 * MIB));
  give_back(take(31 * MIB));
  int fault = grows_by_moving((size_t)256 * MIB, MIB);
  return fault != 0 ? fault : grows_by_moving((size_t)32 * MIB, 64 << 10);
}

// Frees one of many blocks of a size twice; `before` of them go first. Returns only where nobody noticed.
static int frees_twice(size_t size, int before) {
  void *blocks[MANY];
  for (int i = 0; i < MANY; i++) blocks[i] = take(size);
  void *behind = take(24);
  for (int i = 0; i < before; i++) give_back(blocks[2 * i]);
  give_back(blocks[2 * before]);
  give_back(blocks[2 * before]);
  give_back(behind);
  return 12;
}

// The last block before the heap's free end becomes part of that.
static int frees_the_last_twice(void) {
  void *block = take(200000);
  give_back(block);
  give_back(block);
  return 12;
}

static int answer(const char *wish) {
  if (strcmp(wish, "leaves-nothing") == 0) return leaves_nothing();
  if (strcmp(wish, "moves-without-a-copy") == 0) return moves_without_a_copy();
  if (strcmp(wish, "touches-nothing") == 0) return touches_nothing();
  if (strcmp(wish, "grows") == 0) return grows();
  if (strcmp(wish, "twice-in-the-cache") == 0) return frees_twice(48, 0);
  if (strcmp(wish, "twice-later-in-the-cache") == 0) return frees_twice(1000, 3);
  if (strcmp(wish, "twice-in-a-fast-bin") == 0) return frees_twice(48, 9);
  if (strcmp(wish, "twice-in-a-bin") == 0) return frees_twice(3000, 0);
  if (strcmp(wish, "twice-a-large-one") == 0) return frees_twice(100000, 0);
  if (strcmp(wish, "twice-the-last") == 0) return frees_the_last_twice();
  if (strcmp(wish, "a-wrong-address") == 0) give_back((char *)take(100) + 8);
  return 13;
}

static void *in_a_thread(void *wish) { return (void *)(intptr_t)answer(wish); }

int main(int count, char **arguments) {
  if (count < 2) return 14;
  if (count < 3) return answer(arguments[1]);
  // With a second argument in a thread, whose blocks come from a heap of its own.
  pthread_t thread;
  void *fault = NULL;
  if (pthread_create(&thread, NULL, in_a_thread, arguments[1]) != 0 || pthread_join(thread, &fault) != 0) return 15;
  return (int)(intptr_t)fault;
}
