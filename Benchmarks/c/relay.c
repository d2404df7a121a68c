// relay PORT [verify]: passes kind 24133 on by its p tag and nothing else: the least a relay between two signers can be.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "event.h"
#include "websocket.h"

enum { BUCKETS = 1 << 17, MAX_SUBSCRIPTION = 64 };

struct peer;

// One `#p` value of one subscription.
typedef struct entry {
  uint8_t key[32];
  char subscription[MAX_SUBSCRIPTION + 1];
  struct peer *peer;
  struct entry *next_in_bucket, *next_of_peer;
} entry;

typedef struct peer {
  struct lws *wsi;
  inbox in;
  outbox out;
  entry *entries;
} peer;

static entry *buckets[BUCKETS];
static bool verifies;
static volatile sig_atomic_t stopping;

static entry **bucket_of(const uint8_t key[32]) {
  uint32_t word;
  memcpy(&word, key, sizeof word);
  return &buckets[word % BUCKETS];
}

static void unlink_entry(entry *gone) {
  entry **link = bucket_of(gone->key);
  while (*link != gone) link = &(*link)->next_in_bucket;
  *link = gone->next_in_bucket;
  free(gone);
}

// NULL for all of them.
static void drop_subscription(peer *p, const char *subscription) {
  for (entry **link = &p->entries; *link;) {
    entry *found = *link;
    if (subscription && strcmp(found->subscription, subscription) != 0) {
      link = &found->next_of_peer;
      continue;
    }
    *link = found->next_of_peer;
    unlink_entry(found);
  }
}

static void add_entry(peer *p, const char *subscription, const uint8_t key[32]) {
  entry *made = calloc(1, sizeof *made), **bucket = bucket_of(key);
  if (!made) abort();
  memcpy(made->key, key, 32);
  strcpy(made->subscription, subscription);
  made->peer = p;
  made->next_in_bucket = *bucket, *bucket = made;
  made->next_of_peer = p->entries, p->entries = made;
}

static void send_to(peer *p, const buffer *message) {
  if (!message->overflow) outbox_add(&p->out, p->wsi, contents(message));
}

static void forward(const event *e, slice text) {
  static uint8_t memory[MAX_INCOMING + 128];
  uint8_t key[32];
  if (!hex_decode(first_tag(&e->tags, 'p'), key, 32)) return;
  for (entry *found = *bucket_of(key); found; found = found->next_in_bucket) {
    if (memcmp(found->key, key, 32) != 0) continue;
    buffer message = BUFFER_ON(memory);
    put(&message, TEXT("[\"EVENT\","));
    put_json_string(&message, slice_of_text(found->subscription));
    put(&message, TEXT(","));
    put(&message, text);
    put(&message, TEXT("]"));
    send_to(found->peer, &message);
  }
}

static void acknowledge(peer *p, const event *e, bool taken) {
  uint8_t memory[256];
  buffer message = BUFFER_ON(memory);
  put(&message, TEXT("[\"OK\",\""));
  put_hex(&message, e->id, 32);
  put(&message, taken ? TEXT("\",true,\"\"]") : TEXT("\",false,\"invalid: id or signature\"]"));
  send_to(p, &message);
}

static bool take_event(peer *p, json *j) {
  event e;
  const uint8_t *start = j->at;
  if (!parse_event(j, &e)) return false;
  slice text = slice_of(start, (size_t)(j->at - start));
  bool taken = e.kind == KIND_REMOTE_SIGNING && (!verifies || event_verify(&e));
  acknowledge(p, &e, taken);
  if (taken) forward(&e, text);
  return true;
}

static bool take_keys(peer *p, const char *subscription, json *j) {
  bool first = true, done = false;
  slice text;
  uint8_t key[32];
  if (!json_take(j, '[')) return false;
  for (;;) {
    if (!json_next_element(j, &first, &done)) return false;
    if (done) return true;
    if (!json_string(j, &text) || !hex_decode(text, key, 32)) return false;
    add_entry(p, subscription, key);
  }
}

static bool take_filter(peer *p, const char *subscription, json *j) {
  bool first = true, done = false;
  slice key;
  if (!json_take(j, '{')) return false;
  for (;;) {
    if (!json_next_member(j, &first, &key, &done)) return false;
    if (done) return true;
    bool fine = slices_equal(key, TEXT("#p")) ? take_keys(p, subscription, j) : json_skip(j);
    if (!fine) return false;
  }
}

static bool subscription_name(json *j, char name[MAX_SUBSCRIPTION + 1]) {
  slice text;
  if (!json_string(j, &text) || text.length > MAX_SUBSCRIPTION) return false;
  memcpy(name, text.at, text.length);
  name[text.length] = 0;
  return true;
}

static bool take_request(peer *p, json *j) {
  char name[MAX_SUBSCRIPTION + 1];
  uint8_t memory[512];
  buffer message = BUFFER_ON(memory);
  if (!subscription_name(j, name)) return false;
  drop_subscription(p, name);
  while (json_take(j, ','))
    if (!take_filter(p, name, j)) return false;
  put(&message, TEXT("[\"EOSE\","));
  put_json_string(&message, slice_of_text(name));
  put(&message, TEXT("]"));
  send_to(p, &message);
  return true;
}

static bool take_close(peer *p, json *j) {
  char name[MAX_SUBSCRIPTION + 1];
  if (!subscription_name(j, name)) return false;
  drop_subscription(p, name);
  return true;
}

static bool take_message(peer *p) {
  static uint8_t memory[MAX_INCOMING];
  buffer scratch = BUFFER_ON(memory);
  json j = json_over(slice_of(p->in.bytes, p->in.length), &scratch);
  slice word;
  if (!json_take(&j, '[') || !json_string(&j, &word) || !json_take(&j, ',')) return false;
  if (slices_equal(word, TEXT("EVENT"))) return take_event(p, &j);
  if (slices_equal(word, TEXT("REQ"))) return take_request(p, &j);
  if (slices_equal(word, TEXT("CLOSE"))) return take_close(p, &j);
  return true;
}

static int on_relay(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
  peer *p = user;
  switch (reason) {
  case LWS_CALLBACK_ESTABLISHED:
    *p = (peer){.wsi = wsi};
    set_no_delay(wsi);
    return 0;
  case LWS_CALLBACK_RECEIVE: {
    inbox_state state = inbox_add(&p->in, wsi, in, length);
    if (state == INBOX_PARTIAL) return 0;
    bool fine = state == INBOX_WHOLE && take_message(p);
    inbox_clear(&p->in);
    return fine ? 0 : -1;
  }
  case LWS_CALLBACK_SERVER_WRITEABLE: return outbox_flush(&p->out, wsi) ? 0 : -1;
  case LWS_CALLBACK_CLOSED:
    drop_subscription(p, NULL);
    outbox_free(&p->out);
    inbox_free(&p->in);
    return 0;
  default: return lws_callback_http_dummy(wsi, reason, user, in, length);
  }
}

static void stop(int number) {
  (void)number;
  stopping = 1;
}

int main(int argc, char **argv) {
  static const struct lws_protocols protocols[] = {
      {.name = "nostr", .callback = on_relay, .per_session_data_size = sizeof(peer), .rx_buffer_size = 65536}, {0}};
  if (argc < 2) return fprintf(stderr, "usage: relay PORT [verify]\n"), 2;
  verifies = argc > 2;
  signal(SIGTERM, stop), signal(SIGINT, stop);
  struct lws_context *context = make_context(protocols, "127.0.0.1", atoi(argv[1]), 2048);
  puts("ready");
  fflush(stdout);
  while (!stopping && lws_service(context, 0) >= 0) continue;
  lws_context_destroy(context);
  return 0;
}
