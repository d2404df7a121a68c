#pragma once
// sd-bus of libsystemd, loaded at first use: linked, it would bring four more libraries into every start.
// The types are the header's, the functions are looked up by name.
#include <dlfcn.h>
#include <systemd/sd-bus.h>

struct holdfast_bus {
  int (*open_user)(sd_bus **);
  int (*open_system)(sd_bus **);
  sd_bus *(*flush_close_unref)(sd_bus *);
  int (*get_fd)(sd_bus *);
  int (*get_events)(sd_bus *);
  int (*get_timeout)(sd_bus *, uint64_t *);
  int (*process)(sd_bus *, sd_bus_message **);
  int (*call)(sd_bus *, sd_bus_message *, uint64_t, sd_bus_error *, sd_bus_message **);
  int (*message_new_method_call)(sd_bus *, sd_bus_message **, const char *, const char *, const char *, const char *);
  sd_bus_message *(*message_unref)(sd_bus_message *);
  int (*message_append_basic)(sd_bus_message *, char, const void *);
  int (*message_open_container)(sd_bus_message *, char, const char *);
  int (*message_close_container)(sd_bus_message *);
  int (*message_read_basic)(sd_bus_message *, char, void *);
  int (*message_enter_container)(sd_bus_message *, char, const char *);
  int (*message_exit_container)(sd_bus_message *);
  int (*message_is_signal)(sd_bus_message *, const char *, const char *);
  const char *(*message_get_sender)(sd_bus_message *);
  void (*error_free)(sd_bus_error *);
};

// 1 when every function was found. The library stays loaded for the rest of the process.
static inline int holdfast_bus_load(struct holdfast_bus *bus) {
  void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
#define HOLDFAST_FIND(name) (*(void **)&bus->name = dlsym(library, "sd_bus_" #name))
  return HOLDFAST_FIND(open_user) && HOLDFAST_FIND(open_system) && HOLDFAST_FIND(flush_close_unref) && HOLDFAST_FIND(get_fd) && HOLDFAST_FIND(get_events) &&
         HOLDFAST_FIND(get_timeout) && HOLDFAST_FIND(process) && HOLDFAST_FIND(call) && HOLDFAST_FIND(message_new_method_call) &&
         HOLDFAST_FIND(message_unref) && HOLDFAST_FIND(message_append_basic) && HOLDFAST_FIND(message_open_container) &&
         HOLDFAST_FIND(message_close_container) && HOLDFAST_FIND(message_read_basic) && HOLDFAST_FIND(message_enter_container) &&
         HOLDFAST_FIND(message_exit_container) && HOLDFAST_FIND(message_is_signal) && HOLDFAST_FIND(message_get_sender) && HOLDFAST_FIND(error_free);
#undef HOLDFAST_FIND
}
