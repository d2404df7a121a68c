// The signer's side: the work one sign_event request is, from relay text to relay text.
#include "nip46.h"

#include <stdlib.h>

static uint32_t bucket_of(const uint8_t key[32]) {
  uint32_t word;
  memcpy(&word, key, sizeof word);
  return word % BUCKETS;
}

const served_key *signer_add_key(signer *s, const keypair *key) {
  served_key *made = calloc(1, sizeof *made), **head = &s->served_keys[bucket_of(key->public_key)];
  if (!made) abort();
  made->key = *key;
  made->next = *head;
  return *head = made;
}

static const served_key *served_key_of(const signer *s, const uint8_t key[32]) {
  for (const served_key *found = s->served_keys[bucket_of(key)]; found; found = found->next)
    if (memcmp(found->key.public_key, key, 32) == 0) return found;
  return NULL;
}

session *session_for(signer *s, const served_key *served, const uint8_t client_key[32]) {
  session **head = &s->sessions[bucket_of(client_key)];
  for (session *found = *head; found; found = found->next)
    if (found->served == served && memcmp(found->client, client_key, 32) == 0) return found;
  session *made = calloc(1, sizeof *made);
  if (!made || !conversation_between(&made->keys, &served->key, client_key)) {
    free(made);
    return NULL;
  }
  memcpy(made->client, client_key, 32);
  made->served = served;
  made->next = *head;
  return *head = made;
}

static bool parse_params(json *j, request *r) {
  bool first = true, done = false;
  if (!json_take(j, '[')) return false;
  for (;;) {
    if (!json_next_element(j, &first, &done)) return false;
    if (done) return true;
    if (r->param_count == MAX_PARAMS || !json_string(j, &r->params[r->param_count++])) return false;
  }
}

static bool parse_request_member(json *j, slice key, request *r) {
  if (slices_equal(key, TEXT("id"))) return json_string(j, &r->id);
  if (slices_equal(key, TEXT("method"))) return json_string(j, &r->method);
  if (slices_equal(key, TEXT("params"))) return parse_params(j, r);
  return json_skip(j);
}

static bool parse_request(slice text, buffer *scratch, request *r) {
  json j = json_over(text, scratch);
  bool first = true, done = false;
  slice key;
  *r = (request){0};
  if (!json_take(&j, '{')) return false;
  for (;;) {
    if (!json_next_member(&j, &first, &key, &done)) return false;
    if (done) return r->id.at && r->method.at && json_at_end(&j);
    if (!parse_request_member(&j, key, r)) return false;
  }
}

enum { HAS_KIND = 1, HAS_CONTENT = 2, HAS_TAGS = 4, HAS_CREATED = 8, HAS_ALL = 15 };

// The field's bit, 0 for a fault, -1 for a member that is not needed.
static int parse_template_member(json *j, slice key, event *e) {
  if (slices_equal(key, TEXT("kind"))) return json_integer(j, &e->kind) && e->kind >= 0 && e->kind <= 65535 ? HAS_KIND : 0;
  if (slices_equal(key, TEXT("content"))) return json_string(j, &e->content) ? HAS_CONTENT : 0;
  if (slices_equal(key, TEXT("tags"))) return parse_tags(j, &e->tags) ? HAS_TAGS : 0;
  if (slices_equal(key, TEXT("created_at"))) return json_integer(j, &e->created_at) ? HAS_CREATED : 0;
  return json_skip(j) ? -1 : 0;
}

static bool parse_template(slice text, buffer *scratch, event *e) {
  json j = json_over(text, scratch);
  bool first = true, done = false;
  int seen = 0;
  slice key;
  if (!json_take(&j, '{')) return false;
  for (;;) {
    if (!json_next_member(&j, &first, &key, &done)) return false;
    if (done) return seen == HAS_ALL && json_at_end(&j);
    int field = parse_template_member(&j, key, e);
    if (field == 0) return false;
    if (field > 0) seen |= field;
  }
}

// Appends the signed event.
static bool sign_event(signer *s, slice template, buffer *scratch, buffer *result) {
  event e;
  if (!parse_template(template, scratch, &e) || !event_sign(&e, &s->user)) return false;
  put_event(result, &e);
  return !result->overflow;
}

static bool connect_is_allowed(const signer *s, const request *r) {
  if (!s->secret) return true;
  return r->param_count > 1 && slices_equal(r->params[1], slice_of_text(s->secret));
}

// Appends the result; false means that the method failed.
static bool perform(signer *s, session *peer, const request *r, buffer *scratch, buffer *result) {
  if (slices_equal(r->method, TEXT("connect"))) {
    peer->paired = peer->paired || connect_is_allowed(s, r);
    if (peer->paired) put(result, TEXT("ack"));
    return peer->paired;
  }
  if (!peer->paired) return false;
  if (slices_equal(r->method, TEXT("sign_event")) && r->param_count == 1) return sign_event(s, r->params[0], scratch, result);
  if (slices_equal(r->method, TEXT("ping"))) return put(result, TEXT("pong")), true;
  if (slices_equal(r->method, TEXT("get_public_key"))) return put_hex(result, s->user.public_key, 32), true;
  return false;
}

static void put_answer(buffer *b, slice id, bool done, slice result) {
  put(b, TEXT("{\"id\":"));
  put_json_string(b, id);
  put(b, done ? TEXT(",\"result\":") : TEXT(",\"result\":null,\"error\":"));
  put_json_string(b, done ? result : TEXT("refused"));
  put(b, TEXT("}"));
}

bool signer_answer(signer *s, slice message, int64_t now, buffer *out) {
  static _Thread_local uint8_t unescaped[MAX_MESSAGE], plain[MAX_MESSAGE], made[MAX_MESSAGE], text[MAX_MESSAGE], coded[MAX_MESSAGE];
  buffer scratch = BUFFER_ON(unescaped), plaintext = BUFFER_ON(plain), result = BUFFER_ON(made);
  buffer reply = BUFFER_ON(text), content = BUFFER_ON(coded);
  event e;
  request r;
  uint8_t named[32];
  if (!parse_relay_event(message, &scratch, &e) || !recipient_of(&e, named)) return false;
  const served_key *served = served_key_of(s, named);
  if (!served || !event_verify(&e)) return false;
  session *peer = session_for(s, served, e.public_key);
  if (!peer || !nip44_decrypt(&peer->keys, e.content, &plaintext)) return false;
  if (!parse_request(contents(&plaintext), &scratch, &r)) return false;
  bool done = perform(s, peer, &r, &scratch, &result);
  put_answer(&reply, r.id, done, contents(&result));
  if (reply.overflow || !nip44_encrypt(&peer->keys, contents(&reply), &content)) return false;
  return put_envelope(out, &served->key, e.public_key, contents(&content), now);
}
