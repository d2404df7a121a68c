#pragma once
// sd-bus of libsystemd, loaded at first use: linked, it would bring four more libraries into every start.
// The types are the header's, the functions are looked up by name.
#include <dlfcn.h>
#include <systemd/sd-bus.h>

struct holdfast_bus {
  int (*open_user)(sd_bus **);
  int (*open_system)(sd_bus **);
  int (*new)(sd_bus **);
  int (*set_address)(sd_bus *, const char *);
  int (*set_bus_client)(sd_bus *, int);
  int (*negotiate_fds)(sd_bus *, int);
  int (*start)(sd_bus *);
  sd_bus *(*flush_close_unref)(sd_bus *);
  int (*get_fd)(sd_bus *);
  int (*get_events)(sd_bus *);
  int (*get_timeout)(sd_bus *, uint64_t *);
  int (*process)(sd_bus *, sd_bus_message **);
  int (*call)(sd_bus *, sd_bus_message *, uint64_t, sd_bus_error *, sd_bus_message **);
  int (*send)(sd_bus *, sd_bus_message *, uint64_t *);
  int (*message_new_method_call)(sd_bus *, sd_bus_message **, const char *, const char *, const char *, const char *);
  int (*message_new_method_return)(sd_bus_message *, sd_bus_message **);
  int (*message_new_method_error)(sd_bus_message *, sd_bus_message **, const sd_bus_error *);
  int (*message_new_signal)(sd_bus *, sd_bus_message **, const char *, const char *, const char *);
  sd_bus_message *(*message_unref)(sd_bus_message *);
  int (*message_append_basic)(sd_bus_message *, char, const void *);
  int (*message_open_container)(sd_bus_message *, char, const char *);
  int (*message_close_container)(sd_bus_message *);
  int (*message_read_basic)(sd_bus_message *, char, void *);
  int (*message_enter_container)(sd_bus_message *, char, const char *);
  int (*message_exit_container)(sd_bus_message *);
  int (*message_is_signal)(sd_bus_message *, const char *, const char *);
  int (*message_append_array)(sd_bus_message *, char, const void *, size_t);
  int (*message_peek_type)(sd_bus_message *, char *, const char **);
  int (*message_get_type)(sd_bus_message *, uint8_t *);
  int (*message_get_expect_reply)(sd_bus_message *);
  int (*message_get_reply_cookie)(sd_bus_message *, uint64_t *);
  const char *(*message_get_signature)(sd_bus_message *, int);
  const char *(*message_get_path)(sd_bus_message *);
  const char *(*message_get_interface)(sd_bus_message *);
  const char *(*message_get_member)(sd_bus_message *);
  const char *(*message_get_sender)(sd_bus_message *);
  void (*error_free)(sd_bus_error *);
};

// 1 when every function was found. The library stays loaded for the rest of the process.
static inline int holdfast_bus_load(struct holdfast_bus *bus) {
  void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
#define HOLDFAST_FIND(name) (*(void **)&bus->name = dlsym(library, "sd_bus_" #name))
  return HOLDFAST_FIND(open_user) && HOLDFAST_FIND(open_system) && HOLDFAST_FIND(new) && HOLDFAST_FIND(set_address) &&
         HOLDFAST_FIND(set_bus_client) && HOLDFAST_FIND(negotiate_fds) && HOLDFAST_FIND(start) && HOLDFAST_FIND(flush_close_unref) &&
         HOLDFAST_FIND(get_fd) && HOLDFAST_FIND(get_events) && HOLDFAST_FIND(get_timeout) && HOLDFAST_FIND(process) && HOLDFAST_FIND(call) &&
         HOLDFAST_FIND(send) && HOLDFAST_FIND(message_new_method_call) && HOLDFAST_FIND(message_new_method_return) &&
         HOLDFAST_FIND(message_new_method_error) && HOLDFAST_FIND(message_new_signal) && HOLDFAST_FIND(message_unref) &&
         HOLDFAST_FIND(message_append_basic) && HOLDFAST_FIND(message_open_container) && HOLDFAST_FIND(message_close_container) &&
         HOLDFAST_FIND(message_read_basic) && HOLDFAST_FIND(message_enter_container) && HOLDFAST_FIND(message_exit_container) &&
         HOLDFAST_FIND(message_is_signal) && HOLDFAST_FIND(message_append_array) && HOLDFAST_FIND(message_peek_type) &&
         HOLDFAST_FIND(message_get_type) && HOLDFAST_FIND(message_get_expect_reply) && HOLDFAST_FIND(message_get_reply_cookie) &&
         HOLDFAST_FIND(message_get_signature) && HOLDFAST_FIND(message_get_path) && HOLDFAST_FIND(message_get_interface) &&
         HOLDFAST_FIND(message_get_member) && HOLDFAST_FIND(message_get_sender) && HOLDFAST_FIND(error_free);
#undef HOLDFAST_FIND
}
