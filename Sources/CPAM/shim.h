#pragma once
// libpam, loaded when a PAM check is needed: linked, it would cost every start. The types are the header's, the functions are looked up
// by name.
#include <dlfcn.h>
#include <security/pam_appl.h>
#include <stdlib.h>
#include <string.h>

struct holdfast_pam {
  int (*start)(const char *, const char *, const struct pam_conv *, pam_handle_t **);
  int (*authenticate)(pam_handle_t *, int);
  int (*acct_mgmt)(pam_handle_t *, int);
  int (*end)(pam_handle_t *, int);
};

// 1 when every function was found. The library stays loaded for the rest of the process.
static inline int holdfast_pam_load(struct holdfast_pam *pam) {
  static const char *const names[] = {"libpam.so.0", "libpam.2.dylib"};
  // The whole program's scope first: where a test put its own libpam in front, that one is meant.
  void *library = dlsym(RTLD_DEFAULT, "pam_start") ? dlopen(0, RTLD_NOW) : 0;
  for (int i = 0; i < 2 && !library; i++) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
#define HOLDFAST_FIND(name) (*(void **)&pam->name = dlsym(library, "pam_" #name))
  return HOLDFAST_FIND(start) && HOLDFAST_FIND(authenticate) && HOLDFAST_FIND(acct_mgmt) && HOLDFAST_FIND(end);
#undef HOLDFAST_FIND
}

// Room for the answers, from the allocator that PAM frees them with.
static inline struct pam_response *holdfast_pam_responses(int count) { return calloc((size_t)count, sizeof(struct pam_response)); }
// A copy of an answer that ends with a zero; PAM wipes and frees it.
static inline char *holdfast_pam_answer(const void *bytes, size_t count) {
  char *copy = malloc(count + 1);
  if (!copy) return 0;
  memcpy(copy, bytes, count);
  copy[count] = 0;
  return copy;
}
