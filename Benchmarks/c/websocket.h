// What the three WebSocket programs share: whole messages in, queued messages out, on libwebsockets.
#pragma once
#include <libwebsockets.h>

#include "bytes.h"

enum { MAX_INCOMING = 1 << 20, MAX_SERVICE_MILLISECONDS = 0 };

// Fragments of one message until it is whole.
typedef struct {
  uint8_t *bytes;
  size_t length, capacity;
} inbox;

// Messages waiting for the socket.
typedef struct chunk {
  struct chunk *next;
  size_t length;
  uint8_t bytes[];  // LWS_PRE first, then the text
} chunk;

typedef struct {
  chunk *first, *last;
} outbox;

typedef enum { INBOX_PARTIAL, INBOX_WHOLE, INBOX_TOO_LONG } inbox_state;

// After INBOX_WHOLE the text is `bytes` and `length`; call `inbox_clear` when done with it.
inbox_state inbox_add(inbox *in, struct lws *wsi, const void *bytes, size_t length);
static inline void inbox_clear(inbox *in) { in->length = 0; }
void inbox_free(inbox *in);

// Copies the text and asks for the writable callback.
void outbox_add(outbox *out, struct lws *wsi, slice text);
// To be called in the writable callback: writes until the socket takes no more. False when the connection is broken.
bool outbox_flush(outbox *out, struct lws *wsi);
void outbox_free(outbox *out);

void set_no_delay(struct lws *wsi);

// A context without TLS. `port`: CONTEXT_PORT_NO_LISTEN for a client. Ends the program with a sentence when it cannot be had.
struct lws_context *make_context(const struct lws_protocols *protocols, const char *address, int port, unsigned connections);

// Connects to ws://host:port/path. `data` is the per-connection user data.
struct lws *connect_to(struct lws_context *context, const char *url, const struct lws_protocols *protocol, void *data);
