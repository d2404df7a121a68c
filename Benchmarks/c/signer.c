// signer RELAY [SECRET]: the plain C signer Holdfast is compared with. One key for the user, one for the transport, both made at
// start; prints its bunker link when it is subscribed. No policy, no record, no vault: only the work every signer must do.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "nip46.h"
#include "websocket.h"

typedef struct {
  signer signs;
  keypair transport;
  const char *relay;
  inbox in;
  outbox out;
} program;

static volatile sig_atomic_t stopping;

static void subscribe(program *p, struct lws *wsi) {
  uint8_t memory[256];
  buffer message = BUFFER_ON(memory);
  put(&message, TEXT("[\"REQ\",\"signer\",{\"kinds\":[24133],\"limit\":0,\"#p\":[\""));
  put_hex(&message, p->transport.public_key, 32);
  put(&message, TEXT("\"]}]"));
  outbox_add(&p->out, wsi, contents(&message));
}

static void print_link(const program *p) {
  char hex[65] = {0};
  buffer text = {(uint8_t *)hex, 0, 64, false};
  put_hex(&text, p->transport.public_key, 32);
  printf("bunker://%s?relay=%s", hex, p->relay);
  if (p->signs.secret) printf("&secret=%s", p->signs.secret);
  putchar('\n');
  fflush(stdout);
}

static void take_message(program *p, struct lws *wsi) {
  static uint8_t memory[MAX_MESSAGE];
  buffer reply = BUFFER_ON(memory);
  slice message = slice_of(p->in.bytes, p->in.length);
  if (message.length > 7 && memcmp(message.at, "[\"EOSE\"", 7) == 0) print_link(p);
  else if (signer_answer(&p->signs, message, (int64_t)time(NULL), &reply)) outbox_add(&p->out, wsi, contents(&reply));
}

static int on_signer(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
  program *p = user;
  switch (reason) {
  case LWS_CALLBACK_CLIENT_ESTABLISHED:
    set_no_delay(wsi);
    subscribe(p, wsi);
    return 0;
  case LWS_CALLBACK_CLIENT_RECEIVE: {
    inbox_state state = inbox_add(&p->in, wsi, in, length);
    if (state == INBOX_PARTIAL) return 0;
    if (state == INBOX_WHOLE) take_message(p, wsi);
    inbox_clear(&p->in);
    return state == INBOX_WHOLE ? 0 : -1;
  }
  case LWS_CALLBACK_CLIENT_WRITEABLE: return outbox_flush(&p->out, wsi) ? 0 : -1;
  case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
  case LWS_CALLBACK_CLIENT_CLOSED: stopping = 1; return 0;
  default: return lws_callback_http_dummy(wsi, reason, user, in, length);
  }
}

static void stop(int number) {
  (void)number;
  stopping = 1;
}

int main(int argc, char **argv) {
  static const struct lws_protocols protocols[] = {{.name = "nostr", .callback = on_signer, .rx_buffer_size = 65536}, {0}};
  static program p;
  uint8_t secret[32];
  if (argc < 2) return fprintf(stderr, "usage: signer RELAY [SECRET]\n"), 2;
  p.relay = argv[1];
  p.signs.secret = argc > 2 ? argv[2] : NULL;
  keypair_random(&p.signs.user, secret);
  keypair_random(&p.transport, secret);
  signer_add_key(&p.signs, &p.transport);
  signal(SIGTERM, stop), signal(SIGINT, stop);
  struct lws_context *context = make_context(protocols, NULL, CONTEXT_PORT_NO_LISTEN, 16);
  connect_to(context, p.relay, protocols, &p);
  while (!stopping && lws_service(context, 0) >= 0) continue;
  lws_context_destroy(context);
  return 0;
}
