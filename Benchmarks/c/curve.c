#include "curve.h"

#include <secp256k1_ecdh.h>
#include <secp256k1_schnorrsig.h>
#include <stdlib.h>

static secp256k1_context *context;

__attribute__((constructor)) static void make_context(void) {
  uint8_t seed[32];
  random_bytes(seed, sizeof seed);
  context = secp256k1_context_create(SECP256K1_CONTEXT_NONE);
  if (!context || !secp256k1_context_randomize(context, seed)) abort();
}

bool keypair_from(keypair *out, const uint8_t secret[32]) {
  secp256k1_xonly_pubkey point;
  if (!secp256k1_keypair_create(context, &out->pair, secret)) return false;
  return secp256k1_keypair_xonly_pub(context, &point, NULL, &out->pair) &&
         secp256k1_xonly_pubkey_serialize(context, out->public_key, &point);
}

void keypair_random(keypair *out, uint8_t secret[32]) {
  do random_bytes(secret, 32);
  while (!keypair_from(out, secret));
}

bool schnorr_sign(const keypair *key, const uint8_t digest[32], uint8_t signature[64]) {
  uint8_t auxiliary[32];
  random_bytes(auxiliary, sizeof auxiliary);
  return secp256k1_schnorrsig_sign32(context, signature, digest, &key->pair, auxiliary);
}

bool schnorr_verify(const uint8_t signature[64], const uint8_t digest[32], const uint8_t public_key[32]) {
  secp256k1_xonly_pubkey point;
  return secp256k1_xonly_pubkey_parse(context, &point, public_key) &&
         secp256k1_schnorrsig_verify(context, signature, digest, 32, &point);
}

static int copy_x(unsigned char *output, const unsigned char *x, const unsigned char *y, void *data) {
  (void)y, (void)data;
  memcpy(output, x, 32);
  return 1;
}

bool shared_x(const keypair *own, const uint8_t peer[32], uint8_t x[32]) {
  uint8_t compressed[33] = {2}, secret[32];
  secp256k1_pubkey point;
  memcpy(compressed + 1, peer, 32);
  return secp256k1_ec_pubkey_parse(context, &point, compressed, sizeof compressed) &&
         secp256k1_keypair_sec(context, secret, &own->pair) && secp256k1_ecdh(context, x, &point, secret, copy_x, NULL);
}
