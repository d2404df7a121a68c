#include "event.h"

#include "nip44.h"

static bool parse_tag(json *j, tag_list *tags, uint16_t *items) {
  bool first = true, done = false;
  if (!json_take(j, '[')) return false;
  for (;;) {
    if (!json_next_element(j, &first, &done)) return false;
    if (done) return true;
    if (*items == MAX_TAG_ITEMS || !json_string(j, &tags->items[(*items)++])) return false;
  }
}

bool parse_tags(json *j, tag_list *tags) {
  bool first = true, done = false;
  uint16_t items = 0;
  tags->count = 0;
  if (!json_take(j, '[')) return false;
  for (;;) {
    if (!json_next_element(j, &first, &done)) return false;
    if (done) return true;
    if (tags->count == MAX_TAGS || !parse_tag(j, tags, &items)) return false;
    tags->ends[tags->count++] = items;
  }
}

static bool parse_hex(json *j, uint8_t *bytes, size_t count) {
  slice text;
  return json_string(j, &text) && hex_decode(text, bytes, count);
}

enum { HAS_ID = 1, HAS_PUBKEY = 2, HAS_CREATED = 4, HAS_KIND = 8, HAS_TAGS = 16, HAS_CONTENT = 32, HAS_SIG = 64, HAS_ALL = 127 };

// The field's bit, 0 for a fault; unknown members are skipped and count as -1.
static int parse_member(json *j, slice key, event *e) {
  if (slices_equal(key, TEXT("id"))) return parse_hex(j, e->id, 32) ? HAS_ID : 0;
  if (slices_equal(key, TEXT("pubkey"))) return parse_hex(j, e->public_key, 32) ? HAS_PUBKEY : 0;
  if (slices_equal(key, TEXT("created_at"))) return json_integer(j, &e->created_at) ? HAS_CREATED : 0;
  if (slices_equal(key, TEXT("kind"))) return json_integer(j, &e->kind) && e->kind >= 0 && e->kind <= 65535 ? HAS_KIND : 0;
  if (slices_equal(key, TEXT("tags"))) return parse_tags(j, &e->tags) ? HAS_TAGS : 0;
  if (slices_equal(key, TEXT("content"))) return json_string(j, &e->content) ? HAS_CONTENT : 0;
  if (slices_equal(key, TEXT("sig"))) return parse_hex(j, e->signature, 64) ? HAS_SIG : 0;
  return json_skip(j) ? -1 : 0;
}

bool parse_event(json *j, event *e) {
  bool first = true, done = false;
  int seen = 0;
  slice key;
  if (!json_take(j, '{')) return false;
  for (;;) {
    if (!json_next_member(j, &first, &key, &done)) return false;
    if (done) return seen == HAS_ALL;
    int field = parse_member(j, key, e);
    if (field == 0 || (field > 0 && (seen & field))) return false;
    if (field > 0) seen |= field;
  }
}

slice first_tag(const tag_list *tags, char name) {
  uint16_t start = 0;
  for (uint16_t i = 0; i < tags->count; start = tags->ends[i++]) {
    if (tags->ends[i] - start < 2) continue;
    slice head = tags->items[start];
    if (head.length == 1 && head.at[0] == (uint8_t)name) return tags->items[start + 1];
  }
  return slice_of("", 0);
}

static void put_tags(buffer *b, const tag_list *tags) {
  uint16_t item = 0;
  put(b, TEXT("["));
  for (uint16_t i = 0; i < tags->count; i++) {
    put(b, i ? TEXT(",[") : TEXT("["));
    for (bool first = true; item < tags->ends[i]; item++, first = false) {
      if (!first) put(b, TEXT(","));
      put_json_string(b, tags->items[item]);
    }
    put(b, TEXT("]"));
  }
  put(b, TEXT("]"));
}

void event_id(const event *e, uint8_t id[32]) {
  static _Thread_local uint8_t memory[1 << 19];
  buffer text = BUFFER_ON(memory);
  put(&text, TEXT("[0,\""));
  put_hex(&text, e->public_key, 32);
  put(&text, TEXT("\","));
  put_integer(&text, e->created_at);
  put(&text, TEXT(","));
  put_integer(&text, e->kind);
  put(&text, TEXT(","));
  put_tags(&text, &e->tags);
  put(&text, TEXT(","));
  put_json_string(&text, e->content);
  put(&text, TEXT("]"));
  sha256(contents(&text), id);
}

bool event_verify(const event *e) {
  uint8_t id[32];
  event_id(e, id);
  return memcmp(id, e->id, 32) == 0 && schnorr_verify(e->signature, id, e->public_key);
}

bool event_sign(event *e, const keypair *key) {
  memcpy(e->public_key, key->public_key, 32);
  event_id(e, e->id);
  return schnorr_sign(key, e->id, e->signature);
}

void put_event(buffer *b, const event *e) {
  put(b, TEXT("{\"id\":\""));
  put_hex(b, e->id, 32);
  put(b, TEXT("\",\"pubkey\":\""));
  put_hex(b, e->public_key, 32);
  put(b, TEXT("\",\"created_at\":"));
  put_integer(b, e->created_at);
  put(b, TEXT(",\"kind\":"));
  put_integer(b, e->kind);
  put(b, TEXT(",\"tags\":"));
  put_tags(b, &e->tags);
  put(b, TEXT(",\"content\":"));
  put_json_string(b, e->content);
  put(b, TEXT(",\"sig\":\""));
  put_hex(b, e->signature, 64);
  put(b, TEXT("\"}"));
}

bool parse_relay_event(slice message, buffer *scratch, event *e) {
  json j = json_over(message, scratch);
  slice word, subscription;
  return json_take(&j, '[') && json_string(&j, &word) && slices_equal(word, TEXT("EVENT")) && json_take(&j, ',') &&
         json_string(&j, &subscription) && json_take(&j, ',') && parse_event(&j, e) && json_take(&j, ']') && json_at_end(&j);
}
