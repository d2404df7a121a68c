#pragma once
// libsecret, loaded when the keyring is asked for: linked, it and GLib would cost every start. Only pkg-config knows where GLib's
// headers lie, and would link it: the few calls that are needed are written down here, with everything of GLib's as a pointer.
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

typedef struct holdfast_glist {
  void *data;
  struct holdfast_glist *next;
  struct holdfast_glist *previous;
} holdfast_glist;
typedef struct {
  uint32_t domain;
  int code;
  char *message;
} holdfast_gerror;

struct holdfast_keyring {
  void *(*bus_get_sync)(int, void *, holdfast_gerror **);
  void (*bus_set_exit_on_close)(void *, int);
  int (*bus_is_closed)(void *);
  int (*context_iteration)(void *, int);
  void *(*cancellable_new)(void);
  void (*cancellable_cancel)(void *);
  int (*cancellable_is_cancelled)(void *);
  void (*object_unref)(void *);
  void (*error_free)(holdfast_gerror *);
  void (*list_free)(holdfast_glist *);
  void (*table_unref)(void *);
  void *(*schema_new)(const char *, int, ...);
  void (*schema_unref)(void *);
  void *(*attributes_build)(const void *, ...);
  uintptr_t (*service_get_type)(void);
  void *(*service_open_sync)(uintptr_t, const char *, int, void *, holdfast_gerror **);
  holdfast_glist *(*service_search_sync)(void *, const void *, void *, int, void *, holdfast_gerror **);
  int (*item_get_locked)(void *);
  int (*item_load_secret_sync)(void *, void *, holdfast_gerror **);
  void *(*item_get_secret)(void *);
  void *(*value_new)(const char *, intptr_t, const char *);
  const char *(*value_get)(void *, size_t *);
  void (*value_unref)(void *);
  int (*service_store_sync)(void *, const void *, void *, const char *, const char *, void *, void *, holdfast_gerror **);
  int (*item_delete_sync)(void *, void *, holdfast_gerror **);
};

// 1 when every function was found. The libraries stay loaded for the rest of the process.
static inline int holdfast_keyring_load(struct holdfast_keyring *keyring) {
  void *secret = dlopen("libsecret-1.so.0", RTLD_NOW | RTLD_LOCAL);
  void *gio = dlopen("libgio-2.0.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!secret || !gio) return 0;
#define HOLDFAST_FIND(name, symbol) (*(void **)&keyring->name = dlsym(gio, symbol))
#define HOLDFAST_SECRET(name) (*(void **)&keyring->name = dlsym(secret, "secret_" #name))
  return HOLDFAST_FIND(bus_get_sync, "g_bus_get_sync") &&
         HOLDFAST_FIND(bus_set_exit_on_close, "g_dbus_connection_set_exit_on_close") &&
         HOLDFAST_FIND(bus_is_closed, "g_dbus_connection_is_closed") &&
         HOLDFAST_FIND(context_iteration, "g_main_context_iteration") &&
         HOLDFAST_FIND(cancellable_new, "g_cancellable_new") && HOLDFAST_FIND(cancellable_cancel, "g_cancellable_cancel") &&
         HOLDFAST_FIND(cancellable_is_cancelled, "g_cancellable_is_cancelled") && HOLDFAST_FIND(object_unref, "g_object_unref") &&
         HOLDFAST_FIND(error_free, "g_error_free") && HOLDFAST_FIND(list_free, "g_list_free") &&
         HOLDFAST_FIND(table_unref, "g_hash_table_unref") && HOLDFAST_SECRET(schema_new) && HOLDFAST_SECRET(schema_unref) &&
         HOLDFAST_SECRET(attributes_build) && HOLDFAST_SECRET(service_get_type) && HOLDFAST_SECRET(service_open_sync) &&
         HOLDFAST_SECRET(service_search_sync) && HOLDFAST_SECRET(item_get_locked) && HOLDFAST_SECRET(item_load_secret_sync) &&
         HOLDFAST_SECRET(item_get_secret) && HOLDFAST_SECRET(value_new) && HOLDFAST_SECRET(value_get) &&
         HOLDFAST_SECRET(value_unref) && HOLDFAST_SECRET(service_store_sync) && HOLDFAST_SECRET(item_delete_sync);
#undef HOLDFAST_SECRET
#undef HOLDFAST_FIND
}

// Variadic, and of the library's own allocator.
static inline void *holdfast_keyring_schema(const struct holdfast_keyring *keyring, const char *name) {
  return keyring->schema_new(name, 0, "slot", 0, (char *)0);
}
static inline void *holdfast_keyring_attributes(const struct holdfast_keyring *keyring, const void *schema, const char *slot) {
  return keyring->attributes_build(schema, "slot", slot, (char *)0);
}
