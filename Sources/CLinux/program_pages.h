#pragma once
// Giving back the pages of the program file and its libraries that only the start needed.
#include <elf.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

// `struct dl_phdr_info` needs _GNU_SOURCE: its first members, under an own name.
struct holdfast_object { unsigned long address; const char *name; const Elf64_Phdr *segments; unsigned short count; };
int dl_iterate_phdr(int (*visit)(struct holdfast_object *, size_t, void *), void *data);

static inline int holdfast_forget_object(struct holdfast_object *object, size_t size, void *unused) {
  (void)size, (void)unused;
  if (strncmp(object->name, "linux-vdso", 10) == 0) return 0;  // the kernel's own, no file behind it
  for (int i = 0; i < object->count; i++) {
    const Elf64_Phdr *segment = &object->segments[i];
    // Never written segments only: relocations are in writable ones, also those that are made read-only later.
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W)) continue;
    unsigned long start = (object->address + segment->p_vaddr) & ~4095UL;
    unsigned long end = (object->address + segment->p_vaddr + segment->p_memsz + 4095) & ~4095UL;
    madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

// The pages stay in the system's file cache and come back at the next use of each, a microsecond for 16 of them: what is left in
// VmRSS is what a waiting program uses. Call when the start is over.
static inline void holdfast_forget_program_pages(void) { dl_iterate_phdr(holdfast_forget_object, 0); }
