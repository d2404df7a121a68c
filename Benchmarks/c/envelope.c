// Kind 24133 events, the same for both sides.
#include "nip46.h"

bool put_envelope(buffer *out, const keypair *from, const uint8_t to[32], slice content, int64_t now) {
  uint8_t hex[64];
  buffer peer = BUFFER_ON(hex);
  event e = {.created_at = now, .kind = KIND_REMOTE_SIGNING, .content = content};
  put_hex(&peer, to, 32);
  e.tags.items[0] = TEXT("p"), e.tags.items[1] = contents(&peer);
  e.tags.ends[0] = 2, e.tags.count = 1;
  if (!event_sign(&e, from)) return false;
  put(out, TEXT("[\"EVENT\","));
  put_event(out, &e);
  put(out, TEXT("]"));
  return !out->overflow;
}

bool recipient_of(const event *e, uint8_t key[32]) {
  return e->kind == KIND_REMOTE_SIGNING && hex_decode(first_tag(&e->tags, 'p'), key, 32);
}
