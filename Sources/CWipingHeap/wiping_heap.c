// The program's free() and realloc(): whatever goes back to the heap is overwritten with zeros first.
//
// Secrets of ours live in guarded memory and never here. Libraries do as they like: libqrencode, OpenSSL, SQLite, p11-kit and
// libwebsockets copy what they are given and free it as it is, and so does Swift with a text. Linked into the executable, these two take
// the place of the C library's for every library of the process (the C library supports that; its own stay reachable by their
// internal names).

#define _GNU_SOURCE
#include <malloc.h>
#include <string.h>

extern void __libc_free(void *block);
extern void *__libc_malloc(size_t size);

void free(void *block) {
  if (block == NULL) return;
  explicit_bzero(block, malloc_usable_size(block));
  __libc_free(block);
}

// Always to a new block when it grows: the C library's own would leave the old one as it is.
void *realloc(void *block, size_t size) {
  if (block == NULL) return __libc_malloc(size);
  if (size == 0) {
    free(block);
    return NULL;
  }
  size_t room = malloc_usable_size(block);
  if (size <= room && size > room / 2) return block;
  void *other = __libc_malloc(size);
  if (other == NULL) return NULL;
  memcpy(other, block, size < room ? size : room);
  free(block);
  return other;
}
