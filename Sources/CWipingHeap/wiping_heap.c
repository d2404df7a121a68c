// The program's free() and realloc(): whatever goes back to the heap is overwritten with zeros first.
//
// Secrets of ours live in guarded memory and never here. Libraries do as they like: libqrencode, OpenSSL, SQLite, p11-kit and
// libwebsockets copy what they are given and free it as it is, and so does Swift with a text. Linked into the executable, these two take
// the place of the C library's for every library of the process (the C library supports that; its own stay reachable by their
// internal names).
//
// What the C library keeps is left to it:
// - In the second word of a block that waits in a thread's cache stands a key, drawn at random by each process. Seeing it there is
//   how free() notices that a block is freed twice, so that word is not overwritten while it holds the key, which is no secret of
//   anybody's. All other checks look at block headers, which are never written here.
// - A block with a mapping of its own is neither written nor copied: freeing it unmaps its pages, which the kernel clears before
//   anybody else gets them, and growing it moves them (mremap). Writing first would touch pages that nobody touched. Nor would it
//   reach what is in the swap already: a page written anew is swapped out to another place.

#define _GNU_SOURCE
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// Under a sanitizer these two would free what its own malloc gave.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HEAP_IS_ANOTHERS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HEAP_IS_ANOTHERS 1
#endif
#endif

#ifndef HEAP_IS_ANOTHERS

extern void __libc_free(void *block);
extern void *__libc_malloc(size_t size);
extern void *__libc_realloc(void *block, size_t size);

// The word before a block: its size with the header, a multiple of 16, and three flags.
enum { MAPPED = 2, FLAGS = 7, ALIGNMENT = 16, LEAST_SIZE = 32 };

// Blocks of this size and more have a mapping of their own. Fixed, because the C library would raise it up to 32 MiB, and blocks
// below it are overwritten when they go and copied when they grow. Lower, and buffers that come and go would cost a page fault for
// each 4 KiB. What lies free at the heap's end beyond KEPT_FREE goes back to the kernel.
enum { MAPPED_FROM = 512 << 10, KEPT_FREE = 1 << 20 };

// A block that grows gets a fourth more than it asked for from this size on: it will grow again, and is copied each time.
enum { SPARE_FROM = 1 << 10 };

// What marks a block in a thread's cache; 0 until it is known, and where there is none.
static size_t key_of_cache;

static inline size_t header(const void *block) { return ((const size_t *)block)[-1]; }

// How many bytes the owner may use: as malloc_usable_size() says, but without reading the block behind, which free space may not have.
static inline size_t room(const void *block) { return (header(block) & ~(size_t)FLAGS) - sizeof(size_t); }

// Whether the C library would take the address for a block at all. It ends the process otherwise, and says why.
static inline bool looks_like_a_block(const void *block) {
  size_t size = header(block) & ~(size_t)FLAGS;
  return (size_t)block % ALIGNMENT == 0 && size % ALIGNMENT == 0 && size >= LEAST_SIZE;
}

static inline void wipe(void *block) {
  size_t *words = block;
  size_t second = words[1];
  memset(block, 0, room(block));
  if (second == key_of_cache) words[1] = second;
  __asm__ volatile("" : : "r"(block) : "memory");  // no compiler may leave the writes out
}

void free(void *block) {
  if (block == NULL) return;
  if (!(header(block) & MAPPED) && looks_like_a_block(block)) wipe(block);
  __libc_free(block);
}

// To a new block where one on the heap grows: the C library's own would leave the old one as it is.
void *realloc(void *block, size_t size) {
  if (block == NULL) return __libc_malloc(size);
  if (size == 0) {
    free(block);
    return NULL;
  }
  if (header(block) & MAPPED) return __libc_realloc(block, size);
  size_t old = room(block);
  if (size <= old && size > old / 2) return block;
  void *other = __libc_malloc(size > old && size >= SPARE_FROM && size < MAPPED_FROM ? size + size / 4 : size);
  if (other == NULL) return NULL;
  memcpy(other, block, size < old ? size : old);
  free(block);
  return other;
}

// Frees a block into this thread's cache and reads what the C library has written to its second word.
static size_t key_in_a_freed_block(void) {
  const size_t unlike = ~(size_t)0;
  size_t *volatile block = __libc_malloc(2 * sizeof(size_t));
  if (block == NULL) return 0;
  volatile size_t *words = block;
  words[1] = unlike;
  __libc_free(block);
  return words[1] == unlike ? 0 : words[1];
}

__attribute__((constructor)) static void prepare(void) {
  mallopt(M_MMAP_THRESHOLD, MAPPED_FROM);
  mallopt(M_TRIM_THRESHOLD, KEPT_FREE);
  key_of_cache = key_in_a_freed_block();
}

#endif
