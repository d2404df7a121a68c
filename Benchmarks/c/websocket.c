#include "websocket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

inbox_state inbox_add(inbox *in, struct lws *wsi, const void *bytes, size_t length) {
  if (in->length + length > MAX_INCOMING) return INBOX_TOO_LONG;
  if (in->length + length > in->capacity) {
    in->capacity = (in->length + length) * 2;
    in->bytes = realloc(in->bytes, in->capacity);
    if (!in->bytes) abort();
  }
  if (length) memcpy(in->bytes + in->length, bytes, length);
  in->length += length;
  return lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0 ? INBOX_WHOLE : INBOX_PARTIAL;
}

void inbox_free(inbox *in) {
  free(in->bytes);
  *in = (inbox){0};
}

void outbox_add(outbox *out, struct lws *wsi, slice text) {
  chunk *made = malloc(sizeof *made + LWS_PRE + text.length);
  if (!made) abort();
  made->next = NULL;
  made->length = text.length;
  memcpy(made->bytes + LWS_PRE, text.at, text.length);
  if (out->last) out->last->next = made;
  else out->first = made;
  out->last = made;
  if (out->first == made) lws_callback_on_writable(wsi);
}

static void drop_first(outbox *out) {
  chunk *first = out->first;
  out->first = first->next;
  if (!out->first) out->last = NULL;
  free(first);
}

bool outbox_flush(outbox *out, struct lws *wsi) {
  while (out->first) {
    chunk *first = out->first;
    int written = lws_write(wsi, first->bytes + LWS_PRE, first->length, LWS_WRITE_TEXT);
    if (written < (int)first->length) return false;
    drop_first(out);
    if (out->first && lws_send_pipe_choked(wsi)) {
      lws_callback_on_writable(wsi);
      return true;
    }
  }
  return true;
}

void outbox_free(outbox *out) {
  while (out->first) drop_first(out);
}

void set_no_delay(struct lws *wsi) {
  int on = 1;
  setsockopt(lws_get_socket_fd(wsi), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static void allow_files(unsigned count) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= count) return;
  limit.rlim_cur = count < limit.rlim_max ? count : limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

struct lws_context *make_context(const struct lws_protocols *protocols, const char *address, int port, unsigned connections) {
  struct lws_context_creation_info info = {0};
  lws_set_log_level(LLL_ERR, NULL);
  allow_files(connections + 64);
  info.port = port;
  info.iface = address;
  info.protocols = protocols;
  info.fd_limit_per_thread = connections + 32;
  info.pt_serv_buf_size = 65536;
  info.gid = (gid_t)-1, info.uid = (uid_t)-1;
  struct lws_context *context = lws_create_context(&info);
  if (context) return context;
  fprintf(stderr, "libwebsockets could not start (is port %d taken?)\n", port);
  exit(1);
}

struct lws *connect_to(struct lws_context *context, const char *url, const struct lws_protocols *protocol, void *data) {
  static char copy[512], path[512];
  struct lws_client_connect_info info = {0};
  const char *scheme, *rest;
  snprintf(copy, sizeof copy, "%s", url);
  if (lws_parse_uri(copy, &scheme, &info.address, &info.port, &rest) != 0 || strcmp(scheme, "ws") != 0) {
    fprintf(stderr, "not a ws:// address: %s\n", url);
    exit(2);
  }
  snprintf(path, sizeof path, "/%s", rest);
  info.context = context;
  info.path = path;
  info.host = info.address;
  info.origin = NULL;
  info.local_protocol_name = protocol->name;
  info.userdata = data;
  return lws_client_connect_via_info(&info);
}
