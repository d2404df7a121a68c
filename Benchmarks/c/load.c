// load LINKS CLIENTS REQUESTS: CLIENTS clients, each with its own key and connection, pair by the bunker links in the file LINKS
// (one a line, used in turn), then each asks for its share of REQUESTS signatures, one in flight. Requests are signed before the
// clock starts. Prints `requests-per-second p50-ms p99-ms`. REQUESTS may be 0: then the clients only pair.
//
// load LINKS CLIENTS RATE SECONDS: the clients together ask for RATE signatures a second, or as many as they get, for so many seconds;
// each request is signed when it is sent. Prints `seconds requests errors p50-ms p90-ms p99-ms worst-ms` for each ten seconds.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "nip46.h"
#include "websocket.h"

enum {
  VERIFY_EVERY = 64, CONNECTING_AT_ONCE = 32, PATIENCE_SECONDS = 60, SAID_EVERY_SECONDS = 10, MOST_DELAYS = 1 << 20,
  TICK_MICROSECONDS = 1000
};

typedef struct {
  char relay[256], secret[128];
  uint8_t signer_key[32];
} bunker_link;

typedef struct {
  client nostr;
  const bunker_link *link;
  inbox in;
  outbox out;
  struct lws *wsi;
  uint8_t user[32];
  enum { OPENING, SUBSCRIBING, CONNECTING, NAMING, READY, RUNNING, DONE } state;
  slice *requests;
  size_t next;
  double asked_at, due_at;
} user;

static struct {
  struct lws_context *context;
  user *users;
  size_t count, opened, ready, share, done;
  double *delays;
  size_t delay_count;
  double started_at, ended_at;
  double rate, seconds, said_at;
  size_t errors;
  lws_sorted_usec_list_t tick;
} load;

static const struct lws_protocols protocols[];

static _Noreturn void fail(const char *what) {
  fprintf(stderr, "load: %s\n", what);
  exit(1);
}

// ---- Links ----

static void copy_parameter(const char *text, const char *name, char *out, size_t size) {
  const char *at = strstr(text, name);
  size_t length = 0;
  for (at = at ? at + strlen(name) : ""; *at && *at != '&' && *at != '\n' && length + 1 < size; length++) {
    unsigned code;
    if (*at == '%' && sscanf(at + 1, "%2x", &code) == 1) out[length] = (char)code, at += 3;
    else out[length] = *at++;
  }
  out[length] = 0;
}

static void parse_link(const char *text, bunker_link *out) {
  if (strncmp(text, "bunker://", 9) != 0 || strlen(text) < 73 || !hex_decode(slice_of(text + 9, 64), out->signer_key, 32))
    fail("a line of the links file is no bunker link");
  copy_parameter(text, "relay=", out->relay, sizeof out->relay);
  copy_parameter(text, "secret=", out->secret, sizeof out->secret);
}

static bunker_link *read_links(const char *path, size_t *count) {
  char line[2048];
  bunker_link *links = NULL;
  FILE *file = fopen(path, "r");
  if (!file) fail("the links file cannot be opened");
  for (*count = 0; fgets(line, sizeof line, file); ++*count) {
    links = realloc(links, (*count + 1) * sizeof *links);
    parse_link(line, &links[*count]);
  }
  fclose(file);
  if (*count == 0) fail("the links file is empty");
  return links;
}

// ---- Asking ----

static void ask(user *u, const char *id, slice method, const slice *params, int count, buffer *out) {
  if (!client_ask(&u->nostr, slice_of_text(id), method, params, count, (int64_t)time(NULL), out)) fail("a request could not be made");
}

static void ask_now(user *u, const char *id, slice method, const slice *params, int count) {
  uint8_t memory[8192];
  buffer out = BUFFER_ON(memory);
  ask(u, id, method, params, count, &out);
  outbox_add(&u->out, u->wsi, contents(&out));
}

/// Makes the request of that number; its text is in `out`.
static void make_request(user *u, size_t number, size_t i, buffer *out) {
  char template[256], id[32];
  snprintf(id, sizeof id, "r%zu", i);
  snprintf(template, sizeof template,
           "{\"kind\":1,\"content\":\"The key never moves, apps ask, the owner's rules answer: note %zu of client %zu\","
           "\"tags\":[[\"t\",\"holdfast\"]],\"created_at\":%lld}", i, number, (long long)time(NULL));
  slice param = slice_of_text(template);
  ask(u, id, TEXT("sign_event"), &param, 1, out);
}

static void prepare_requests(user *u, size_t number) {
  u->requests = calloc(load.share ? load.share : 1, sizeof *u->requests);
  for (size_t i = 0; i < load.share; i++) {
    uint8_t memory[8192];
    buffer out = BUFFER_ON(memory);
    make_request(u, number, i, &out);
    uint8_t *copy = malloc(out.length);
    memcpy(copy, out.at, out.length);
    u->requests[i] = slice_of(copy, out.length);
  }
}

// ---- For a time, at a rate ----

static void ask_in_turn(user *u) {
  uint8_t memory[8192];
  buffer out = BUFFER_ON(memory);
  make_request(u, (size_t)(u - load.users), u->next, &out);
  u->state = RUNNING;
  u->asked_at = seconds_now();
  outbox_add(&u->out, u->wsi, contents(&out));
}

static int compare(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

static double percentile(double part) { return load.delays[(size_t)(part * (double)(load.delay_count - 1))] * 1e3; }

static void say(double now) {
  qsort(load.delays, load.delay_count, sizeof *load.delays, compare);
  if (load.delay_count == 0) load.delays[load.delay_count++] = now - load.said_at;  // nobody was answered
  printf("%.0f %zu %zu %.3f %.3f %.3f %.3f\n", now - load.started_at, load.delay_count, load.errors, percentile(0.5), percentile(0.9),
         percentile(0.99), percentile(1));
  fflush(stdout);
  load.delay_count = load.errors = 0;
  load.said_at = now;
}

/// Lets everybody ask whose turn it is, and says how it went.
static void go_on(void) {
  double now = seconds_now();
  for (size_t i = 0; i < load.count; i++) {
    user *u = &load.users[i];
    if (u->state != READY || u->due_at > now) continue;
    // Who is late does not catch up for more than a second.
    u->due_at = (u->due_at < now - 1 ? now : u->due_at) + (double)load.count / load.rate;
    ask_in_turn(u);
  }
  if (now - load.said_at >= SAID_EVERY_SECONDS) say(now);
  if (now - load.started_at >= load.seconds) load.ended_at = now;
}

static void tick(lws_sorted_usec_list_t *list) {
  go_on();
  lws_sul_schedule(load.context, 0, list, tick, TICK_MICROSECONDS);
}

static void take_delay(user *u, double now, bool is_refused) {
  if (load.delay_count < MOST_DELAYS) load.delays[load.delay_count++] = now - u->asked_at;
  if (is_refused) load.errors++;
  u->next++;
  u->state = READY;
}

static void ask_next(user *u) {
  if (u->next == load.share) {
    u->state = DONE;
    if (++load.done == load.count) load.ended_at = seconds_now();
    return;
  }
  u->state = RUNNING;
  u->asked_at = seconds_now();
  outbox_add(&u->out, u->wsi, u->requests[u->next]);
}

static void start_all(void) {
  if (load.rate > 0) {
    load.started_at = load.said_at = seconds_now();
    for (size_t i = 0; i < load.count; i++) load.users[i].due_at = load.started_at + (double)i / load.rate;
    tick(&load.tick);
    return;
  }
  for (size_t i = 0; i < load.count; i++) prepare_requests(&load.users[i], i);
  load.started_at = seconds_now();
  for (size_t i = 0; i < load.count; i++) ask_next(&load.users[i]);
}

// ---- Opening, a few at a time ----

static void open_next(void) {
  if (load.opened == load.count) return;
  user *u = &load.users[load.opened++];
  u->wsi = connect_to(load.context, u->link->relay, protocols, u);
  if (!u->wsi) fail("a connection to the relay could not be made");
}

static void subscribe(user *u) {
  uint8_t memory[256];
  buffer message = BUFFER_ON(memory);
  put(&message, TEXT("[\"REQ\",\"client\",{\"kinds\":[24133],\"limit\":0,\"#p\":[\""));
  put_hex(&message, u->nostr.key.public_key, 32);
  put(&message, TEXT("\"]}]"));
  outbox_add(&u->out, u->wsi, contents(&message));
  u->state = SUBSCRIBING;
}

static void ask_to_connect(user *u) {
  uint8_t hex[64];
  buffer key = BUFFER_ON(hex);
  put_hex(&key, u->link->signer_key, 32);
  slice params[2] = {contents(&key), slice_of_text(u->link->secret)};
  ask_now(u, "connect", TEXT("connect"), params, u->link->secret[0] ? 2 : 1);
  u->state = CONNECTING;
}

static void become_ready(user *u) {
  u->state = READY;
  load.ready++;
  open_next();
  if (load.ready == load.count) start_all();
}

// ---- Answers ----

static void check_signed(user *u, const answer *a, buffer *scratch) {
  char expected[32];
  snprintf(expected, sizeof expected, "r%zu", u->next);
  if (!slices_equal(a->id, slice_of_text(expected))) fail("an answer has the wrong id");
  if (a->result.length == 0 || a->error.length) fail("a request was refused");
  if (u->next % VERIFY_EVERY == 0 && !signed_event_is_valid(a->result, u->user, scratch)) fail("a signed event is not valid");
}

static void take_answer(user *u, slice message) {
  static uint8_t memory[MAX_MESSAGE];
  buffer scratch = BUFFER_ON(memory);
  answer a;
  double now = seconds_now();
  if (!client_read(&u->nostr, message, u->next % VERIFY_EVERY == 0, &scratch, &a)) fail("an answer cannot be read");
  if (u->state == CONNECTING) {
    if (a.error.length) fail("the signer refused to pair");
    ask_now(u, "name", TEXT("get_public_key"), NULL, 0);
    u->state = NAMING;
  } else if (u->state == NAMING) {
    if (!hex_decode(a.result, u->user, 32)) fail("get_public_key brought no key");
    become_ready(u);
  } else if (u->state == RUNNING && load.rate > 0) {
    if (!a.error.length) check_signed(u, &a, &scratch);
    take_delay(u, now, a.error.length > 0);
  } else if (u->state == RUNNING) {
    load.delays[load.delay_count++] = now - u->asked_at;
    check_signed(u, &a, &scratch);
    u->next++;
    ask_next(u);
  }
}

static bool begins(slice message, const char *text) {
  return message.length >= strlen(text) && memcmp(message.at, text, strlen(text)) == 0;
}

static void take_message(user *u) {
  slice message = slice_of(u->in.bytes, u->in.length);
  if (begins(message, "[\"EVENT\"")) return take_answer(u, message);
  if (begins(message, "[\"EOSE\"") && u->state == SUBSCRIBING) return ask_to_connect(u);
  // `["OK","<64 hex>",false,…`
  if (begins(message, "[\"CLOSED\"") || (begins(message, "[\"OK\"") && message.length > 80 && memchr(message.at + 73, 'f', 2))) {
    fprintf(stderr, "load: the relay says %.*s\n", (int)message.length, message.at);
    exit(1);
  }
}

static int on_load(struct lws *wsi, enum lws_callback_reasons reason, void *data, void *in, size_t length) {
  user *u = data;
  switch (reason) {
  case LWS_CALLBACK_CLIENT_ESTABLISHED:
    u->wsi = wsi;
    set_no_delay(wsi);
    subscribe(u);
    return 0;
  case LWS_CALLBACK_CLIENT_RECEIVE: {
    inbox_state state = inbox_add(&u->in, wsi, in, length);
    if (state == INBOX_PARTIAL) return 0;
    if (state == INBOX_TOO_LONG) fail("a message is too long");
    take_message(u);
    inbox_clear(&u->in);
    return 0;
  }
  case LWS_CALLBACK_CLIENT_WRITEABLE: return outbox_flush(&u->out, wsi) ? 0 : -1;
  case LWS_CALLBACK_CLIENT_CONNECTION_ERROR: fail(in ? in : "a connection was refused");
  case LWS_CALLBACK_CLIENT_CLOSED:
    if (load.ended_at == 0) fail("the relay closed a connection");
    return 0;
  default: return lws_callback_http_dummy(wsi, reason, data, in, length);
  }
}

static const struct lws_protocols protocols[] = {{.name = "nostr", .callback = on_load, .rx_buffer_size = 65536}, {0}};

// ---- Report ----

static void report(void) {
  if (load.delay_count == 0) return;
  qsort(load.delays, load.delay_count, sizeof *load.delays, compare);
  printf("%.0f %.3f %.3f\n", (double)load.delay_count / (load.ended_at - load.started_at), percentile(0.5), percentile(0.99));
}

static void make_users(const bunker_link *links, size_t link_count) {
  uint8_t secret[32];
  load.users = calloc(load.count, sizeof *load.users);
  load.delays = calloc(load.rate > 0 ? MOST_DELAYS : load.count * load.share + 1, sizeof *load.delays);
  for (size_t i = 0; i < load.count; i++) {
    user *u = &load.users[i];
    u->link = &links[i % link_count];
    keypair_random(&u->nostr.key, secret);
    if (!client_meets(&u->nostr, u->link->signer_key)) fail("a link's key is no point of the curve");
  }
}

int main(int argc, char **argv) {
  size_t link_count;
  if (argc != 4 && argc != 5) return fprintf(stderr, "usage: load LINKS CLIENTS REQUESTS, or load LINKS CLIENTS RATE SECONDS\n"), 2;
  const bunker_link *links = read_links(argv[1], &link_count);
  load.count = strtoull(argv[2], NULL, 10);
  if (load.count == 0) fail("at least one client is needed");
  if (argc == 5) (load.rate = strtod(argv[3], NULL), load.seconds = strtod(argv[4], NULL));
  else load.share = strtoull(argv[3], NULL, 10) / load.count;
  make_users(links, link_count);
  load.context = make_context(protocols, NULL, CONTEXT_PORT_NO_LISTEN, (unsigned)load.count);
  for (int i = 0; i < CONNECTING_AT_ONCE; i++) open_next();
  double limit = seconds_now() + PATIENCE_SECONDS + load.seconds + (double)load.share * (double)load.count / 200;
  while (load.ended_at == 0) {
    if (lws_service(load.context, 0) < 0 || seconds_now() > limit) fail("an answer did not come");
  }
  if (load.rate == 0) report();
  lws_sul_cancel(&load.tick);
  lws_context_destroy(load.context);
  return 0;
}
