#include "nip44.h"

#include <sodium.h>

enum { MAX_PLAINTEXT = 65535, MAX_PAYLOAD = 1 + 32 + 2 + 65536 + 32 };

void sha256(slice bytes, uint8_t digest[32]) {
  SHA256_CTX state;
  SHA256_Init(&state);
  SHA256_Update(&state, bytes.at, bytes.length);
  SHA256_Final(digest, &state);
}

// `key`: 32 bytes.
static void hmac_init(hmac_key *out, const uint8_t *key) {
  uint8_t pad[64];
  for (int i = 0; i < 64; i++) pad[i] = (i < 32 ? key[i] : 0) ^ 0x36;
  SHA256_Init(&out->inner);
  SHA256_Update(&out->inner, pad, 64);
  for (int i = 0; i < 64; i++) pad[i] ^= 0x36 ^ 0x5c;
  SHA256_Init(&out->outer);
  SHA256_Update(&out->outer, pad, 64);
}

static void hmac_finish(const hmac_key *key, SHA256_CTX *inner, uint8_t code[32]) {
  SHA256_CTX outer = key->outer;
  SHA256_Final(code, inner);
  SHA256_Update(&outer, code, 32);
  SHA256_Final(code, &outer);
}

static void hmac(const hmac_key *key, slice first, slice second, uint8_t code[32]) {
  SHA256_CTX inner = key->inner;
  SHA256_Update(&inner, first.at, first.length);
  SHA256_Update(&inner, second.at, second.length);
  hmac_finish(key, &inner, code);
}

bool conversation_between(conversation *out, const keypair *own, const uint8_t peer[32]) {
  uint8_t x[32], salt[32] = "nip44-v2", key[32];
  hmac_key salted;
  if (!shared_x(own, peer, x)) return false;
  hmac_init(&salted, salt);
  hmac(&salted, slice_of(x, 32), slice_of(x, 0), key);
  hmac_init(&out->key, key);
  return true;
}

typedef struct {
  uint8_t cipher_key[32], nonce[12], mac_key[32];
} message_keys;

// HKDF-expand to 76 bytes with the nonce as info: three HMAC blocks.
static void derive(const conversation *c, const uint8_t nonce[32], message_keys *keys) {
  uint8_t blocks[96], info[33];
  memcpy(info, nonce, 32);
  for (uint8_t i = 0; i < 3; i++) {
    info[32] = (uint8_t)(i + 1);
    hmac(&c->key, slice_of(i ? blocks + 32 * (i - 1) : blocks, i ? 32 : 0), slice_of(info, 33), blocks + 32 * i);
  }
  memcpy(keys, blocks, sizeof *keys);
}

static void code_of(const message_keys *keys, const uint8_t nonce[32], slice text, uint8_t code[32]) {
  hmac_key key;
  SHA256_CTX outer;
  hmac_init(&key, keys->mac_key);
  outer = key.outer;
  SHA256_Update(&key.inner, nonce, 32);
  SHA256_Update(&key.inner, text.at, text.length);
  SHA256_Final(code, &key.inner);
  SHA256_Update(&outer, code, 32);
  SHA256_Final(code, &outer);
}

static size_t padded_length(size_t count) {
  if (count <= 32) return 32;
  size_t power = (size_t)1 << (64 - __builtin_clzll(count - 1));
  size_t chunk = power <= 256 ? 32 : power / 8;
  return chunk * ((count - 1) / chunk + 1);
}

// libsodium needs no set-up: on a few hundred bytes it beats OpenSSL's EVP calls.
static void chacha20(const message_keys *keys, const uint8_t *in, size_t count, uint8_t *out) {
  crypto_stream_chacha20_ietf_xor_ic(out, in, count, keys->nonce, 0, keys->cipher_key);
}

static bool unpad(const uint8_t *padded, size_t count, buffer *out) {
  size_t length = (size_t)padded[0] << 8 | padded[1];
  if (length == 0 || count != 2 + padded_length(length)) return false;
  uint8_t rest = 0;
  for (size_t i = 2 + length; i < count; i++) rest |= padded[i];
  put(out, slice_of(padded + 2, length));
  return rest == 0 && !out->overflow;
}

bool nip44_decrypt(const conversation *c, slice payload, buffer *out) {
  static _Thread_local uint8_t bytes[MAX_PAYLOAD], plain[MAX_PAYLOAD];
  buffer raw = BUFFER_ON(bytes);
  message_keys keys;
  uint8_t code[32];
  if (!base64_decode(payload, &raw) || raw.length < 1 + 32 + 34 + 32 || bytes[0] != 2) return false;
  const uint8_t *nonce = bytes + 1;
  slice text = slice_of(bytes + 33, raw.length - 65);
  derive(c, nonce, &keys);
  code_of(&keys, nonce, text, code);
  if (sodium_memcmp(code, text.at + text.length, 32) != 0) return false;
  chacha20(&keys, text.at, text.length, plain);
  return unpad(plain, text.length, out);
}

bool nip44_encrypt(const conversation *c, slice plaintext, buffer *out) {
  static _Thread_local uint8_t bytes[MAX_PAYLOAD];
  message_keys keys;
  if (plaintext.length == 0 || plaintext.length > MAX_PLAINTEXT) return false;
  size_t padded = padded_length(plaintext.length), count = 2 + padded;
  uint8_t *nonce = bytes + 1, *text = bytes + 33;
  bytes[0] = 2;
  random_bytes(nonce, 32);
  text[0] = (uint8_t)(plaintext.length >> 8), text[1] = (uint8_t)plaintext.length;
  memcpy(text + 2, plaintext.at, plaintext.length);
  memset(text + 2 + plaintext.length, 0, padded - plaintext.length);
  derive(c, nonce, &keys);
  chacha20(&keys, text, count, text);
  code_of(&keys, nonce, slice_of(text, count), text + count);
  put_base64(out, slice_of(bytes, 1 + 32 + count + 32));
  return !out->overflow;
}
