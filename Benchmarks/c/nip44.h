// NIP-44 version 2 with the conversation key's HMAC pads kept.
#pragma once
#define OPENSSL_SUPPRESS_DEPRECATED 1
#include <openssl/sha.h>

#include "curve.h"

// HMAC-SHA256 after its key: copying these two states saves two blocks for each code.
typedef struct {
  SHA256_CTX inner, outer;
} hmac_key;

typedef struct {
  hmac_key key;
} conversation;

void sha256(slice bytes, uint8_t digest[32]);

bool conversation_between(conversation *out, const keypair *own, const uint8_t peer[32]);

// Appends the plaintext to `out`. Checks version, code, padded length and that the padding is zero.
bool nip44_decrypt(const conversation *c, slice payload, buffer *out);

// Appends the base64 text. `plaintext`: 1 to 65,535 bytes. A fresh nonce.
bool nip44_encrypt(const conversation *c, slice plaintext, buffer *out);
