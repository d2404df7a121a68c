// libsecp256k1: key pairs, BIP-340, ECDH.
#pragma once
#include <secp256k1.h>
#include <secp256k1_extrakeys.h>

#include "bytes.h"

typedef struct {
  secp256k1_keypair pair;
  uint8_t public_key[32];
} keypair;

bool keypair_from(keypair *out, const uint8_t secret[32]);
void keypair_random(keypair *out, uint8_t secret[32]);
bool schnorr_sign(const keypair *key, const uint8_t digest[32], uint8_t signature[64]);  // fresh auxiliary randomness
bool schnorr_verify(const uint8_t signature[64], const uint8_t digest[32], const uint8_t public_key[32]);
bool shared_x(const keypair *own, const uint8_t peer[32], uint8_t x[32]);
