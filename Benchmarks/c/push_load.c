// push_load keys COUNT: prints so many public keys, one a line.
//
// push_load RELAY KEYS RATE SECONDS JUNK: sends RATE events of kind 24133 a second, each by an author of its own to the next key of the file
// KEYS, JUNK percent of them with a wrong signature. All are signed before the first is sent. Prints `KEY MILLISECONDS-SINCE-1970` for each
// genuine one as it is sent, and at the end `verify MICROSECONDS`: the CPU time of checking one event's id and signature.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "event.h"
#include "websocket.h"

enum { CONTENT_LENGTH = 400, VERIFIED = 5000, TICK_MICROSECONDS = 1000, PATIENCE_SECONDS = 10 };

typedef struct {
  char key[65];
  slice text;
  bool is_junk;
} message;

static struct {
  struct lws_context *context;
  struct lws *wsi;
  inbox in;
  outbox out;
  lws_sorted_usec_list_t tick;
  message *messages;
  size_t count, sent, taken;
  double rate, started_at, ended_at;
  int junk_percent;
} load;

static _Noreturn void fail(const char *what) {
  fprintf(stderr, "push_load: %s\n", what);
  exit(1);
}

static double now_by(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int print_keys(long count) {
  uint8_t secret[32], hex[64];
  keypair pair;
  for (long i = 0; i < count; i++) {
    keypair_random(&pair, secret);
    buffer line = BUFFER_ON(hex);
    put_hex(&line, pair.public_key, 32);
    printf("%.64s\n", (char *)hex);
  }
  return 0;
}

// ---- Events ----

// `["EVENT",{…}]` to the key, by a new author.
static slice make_event(const char *key, int64_t now, bool is_junk) {
  static char content[CONTENT_LENGTH];
  uint8_t secret[32], memory[2048], noise[CONTENT_LENGTH];
  keypair author;
  event e = {.created_at = now, .kind = KIND_REMOTE_SIGNING};
  random_bytes(noise, sizeof noise);
  for (int i = 0; i < CONTENT_LENGTH; i++) content[i] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[noise[i] & 63];
  e.content = slice_of(content, CONTENT_LENGTH);
  e.tags.items[0] = TEXT("p"), e.tags.items[1] = slice_of(key, 64);
  e.tags.ends[0] = 2, e.tags.count = 1;
  keypair_random(&author, secret);
  if (!event_sign(&e, &author)) fail("an event could not be signed");
  if (is_junk) e.signature[40] ^= 1;
  buffer out = BUFFER_ON(memory);
  put(&out, TEXT("[\"EVENT\","));
  put_event(&out, &e);
  put(&out, TEXT("]"));
  uint8_t *copy = malloc(out.length);
  if (!copy || out.overflow) fail("an event is too long");
  memcpy(copy, out.at, out.length);
  return slice_of(copy, out.length);
}

static void make_messages(const char *path) {
  char line[128];
  FILE *file = fopen(path, "r");
  if (!file) fail("the file of keys cannot be opened");
  int64_t now = (int64_t)time(NULL);
  load.messages = calloc(load.count, sizeof *load.messages);
  for (size_t i = 0; i < load.count; i++) {
    message *m = &load.messages[i];
    if (!fgets(line, sizeof line, file)) fail("there are too few keys");
    memcpy(m->key, line, 64);
    // Spread evenly: of every hundred the first few.
    m->is_junk = (int)(i * 37 % 100) < load.junk_percent;
    m->text = make_event(m->key, now, m->is_junk);
  }
  fclose(file);
}

// The mean of checking events as the proxy must, in microseconds of CPU time.
static double cost_of_verifying(void) {
  static uint8_t memory[4096];
  size_t count = load.count < VERIFIED ? load.count : VERIFIED, valid = 0;
  double began = now_by(CLOCK_PROCESS_CPUTIME_ID);
  for (size_t i = 0; i < count; i++) {
    buffer scratch = BUFFER_ON(memory);
    json j = json_over(load.messages[i].text, &scratch);
    slice word;
    event e;
    bool is_read = json_take(&j, '[') && json_string(&j, &word) && json_take(&j, ',') && parse_event(&j, &e);
    if (!is_read) fail("an event cannot be read");
    valid += event_verify(&e);
  }
  double ended = now_by(CLOCK_PROCESS_CPUTIME_ID);
  if (load.junk_percent == 0 && valid != count) fail("an event is not valid");
  return (ended - began) / (double)count * 1e6;
}

// ---- Sending ----

static void send_due(void) {
  double now = now_by(CLOCK_MONOTONIC), wall = now_by(CLOCK_REALTIME);
  size_t due = (size_t)((now - load.started_at) * load.rate);
  for (; load.sent < load.count && load.sent < due; load.sent++) {
    const message *m = &load.messages[load.sent];
    outbox_add(&load.out, load.wsi, m->text);
    if (!m->is_junk) printf("%s %.0f\n", m->key, wall * 1e3);
  }
}

static void tick(lws_sorted_usec_list_t *list) {
  send_due();
  lws_sul_schedule(load.context, 0, list, tick, TICK_MICROSECONDS);
}

static int on_push(struct lws *wsi, enum lws_callback_reasons reason, void *data, void *in, size_t length) {
  switch (reason) {
  case LWS_CALLBACK_CLIENT_ESTABLISHED:
    set_no_delay(wsi);
    load.started_at = now_by(CLOCK_MONOTONIC);
    tick(&load.tick);
    return 0;
  case LWS_CALLBACK_CLIENT_RECEIVE:
    if (inbox_add(&load.in, wsi, in, length) == INBOX_PARTIAL) return 0;
    inbox_clear(&load.in);
    if (++load.taken == load.count) load.ended_at = now_by(CLOCK_MONOTONIC);
    return 0;
  case LWS_CALLBACK_CLIENT_WRITEABLE: return outbox_flush(&load.out, wsi) ? 0 : -1;
  case LWS_CALLBACK_CLIENT_CONNECTION_ERROR: fail(in ? in : "the connection was refused");
  case LWS_CALLBACK_CLIENT_CLOSED: fail("the relay closed the connection");
  default: return lws_callback_http_dummy(wsi, reason, data, in, length);
  }
}

static const struct lws_protocols protocols[] = {{.name = "nostr", .callback = on_push, .rx_buffer_size = 65536}, {0}};

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "keys") == 0) return print_keys(atol(argv[2]));
  if (argc != 6) return fprintf(stderr, "usage: push_load keys COUNT, or push_load RELAY KEYS RATE SECONDS JUNK\n"), 2;
  load.rate = strtod(argv[3], NULL), load.junk_percent = atoi(argv[5]);
  double seconds = strtod(argv[4], NULL);
  load.count = (size_t)(load.rate * seconds);
  make_messages(argv[2]);
  load.context = make_context(protocols, NULL, CONTEXT_PORT_NO_LISTEN, 1);
  load.wsi = connect_to(load.context, argv[1], protocols, NULL);
  if (!load.wsi) fail("a connection to the relay could not be made");
  double limit = now_by(CLOCK_MONOTONIC) + seconds * 2 + PATIENCE_SECONDS;
  while (load.ended_at == 0)
    if (lws_service(load.context, 0) < 0 || now_by(CLOCK_MONOTONIC) > limit) fail("the relay did not take all events");
  lws_sul_cancel(&load.tick);
  printf("sent %.0f\n", (double)load.count / (load.ended_at - load.started_at));
  printf("verify %.2f\n", cost_of_verifying());
  return 0;
}
