// The client's side, for the load and the input file.
#include "nip46.h"

bool client_meets(client *c, const uint8_t signer_key[32]) {
  memcpy(c->signer_key, signer_key, 32);
  return conversation_between(&c->keys, &c->key, signer_key);
}

bool client_ask(const client *c, slice id, slice method, const slice *params, int count, int64_t now, buffer *out) {
  static _Thread_local uint8_t text[MAX_MESSAGE], coded[MAX_MESSAGE];
  buffer plain = BUFFER_ON(text), content = BUFFER_ON(coded);
  put(&plain, TEXT("{\"id\":"));
  put_json_string(&plain, id);
  put(&plain, TEXT(",\"method\":"));
  put_json_string(&plain, method);
  put(&plain, TEXT(",\"params\":["));
  for (int i = 0; i < count; i++) {
    if (i) put(&plain, TEXT(","));
    put_json_string(&plain, params[i]);
  }
  put(&plain, TEXT("]}"));
  return !plain.overflow && nip44_encrypt(&c->keys, contents(&plain), &content) &&
         put_envelope(out, &c->key, c->signer_key, contents(&content), now);
}

static bool parse_answer_text(json *j, slice *value) {
  return json_take(j, 'n') ? (j->at--, json_skip(j)) : json_string(j, value);
}

static bool parse_answer(slice text, buffer *scratch, answer *out) {
  json j = json_over(text, scratch);
  bool first = true, done = false;
  slice key;
  *out = (answer){0};
  if (!json_take(&j, '{')) return false;
  for (;;) {
    if (!json_next_member(&j, &first, &key, &done)) return false;
    if (done) return out->id.at != NULL && json_at_end(&j);
    slice *field = slices_equal(key, TEXT("id")) ? &out->id : slices_equal(key, TEXT("result")) ? &out->result : NULL;
    if (slices_equal(key, TEXT("error"))) field = &out->error;
    if (!(field ? parse_answer_text(&j, field) : json_skip(&j))) return false;
  }
}

bool client_read(const client *c, slice message, bool verify, buffer *scratch, answer *out) {
  event e;
  uint8_t named[32];
  if (!parse_relay_event(message, scratch, &e) || !recipient_of(&e, named)) return false;
  if (memcmp(named, c->key.public_key, 32) != 0) return false;
  if (memcmp(e.public_key, c->signer_key, 32) != 0 || (verify && !event_verify(&e))) return false;
  size_t start = scratch->length;
  if (!nip44_decrypt(&c->keys, e.content, scratch)) return false;
  return parse_answer(slice_of(scratch->at + start, scratch->length - start), scratch, out);
}

bool signed_event_is_valid(slice text, const uint8_t user[32], buffer *scratch) {
  json j = json_over(text, scratch);
  event e;
  return parse_event(&j, &e) && json_at_end(&j) && memcmp(e.public_key, user, 32) == 0 && event_verify(&e);
}
