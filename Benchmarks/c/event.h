// Nostr events (NIP-01): parse, id, verify, sign, write.
#pragma once
#include "curve.h"
#include "json.h"

enum { MAX_TAGS = 128, MAX_TAG_ITEMS = 512, KIND_REMOTE_SIGNING = 24133 };

typedef struct {
  slice items[MAX_TAG_ITEMS];
  uint16_t ends[MAX_TAGS];  // tag i is items[ends[i - 1]] up to items[ends[i]]
  uint16_t count;
} tag_list;

typedef struct {
  uint8_t id[32], public_key[32], signature[64];
  int64_t created_at, kind;
  slice content;
  tag_list tags;
} event;

bool parse_tags(json *j, tag_list *tags);
bool parse_event(json *j, event *e);

// The second item of the first tag with that one-letter name; empty when there is none.
slice first_tag(const tag_list *tags, char name);

void event_id(const event *e, uint8_t id[32]);
bool event_verify(const event *e);                  // the id, then the signature
bool event_sign(event *e, const keypair *key);      // fills public_key, id and signature
void put_event(buffer *b, const event *e);

// `["EVENT",<subscription>,{…}]` and nothing after it.
bool parse_relay_event(slice message, buffer *scratch, event *e);
