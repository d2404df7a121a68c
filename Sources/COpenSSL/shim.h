#pragma once
// The low-level SHA-256 calls cost half of what EVP does on short inputs; they are deprecated, not removed.
#define OPENSSL_SUPPRESS_DEPRECATED 1
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <string.h>

// Here and not in Swift: the library keeps pointers to the names until the call is over, and the selections are macros of macros.
/// `number` is the private key in the machine's own byte order, or null.
static inline int holdfast_p256_key(
    EVP_PKEY_CTX *context, EVP_PKEY **key, unsigned char *point, size_t point_length, unsigned char *number, size_t number_length) {
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)"P-256", 0),
      OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, point_length),
      number ? OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, number, number_length) : OSSL_PARAM_construct_end(),
      OSSL_PARAM_construct_end(),
  };
  if (EVP_PKEY_fromdata_init(context) != 1) return 0;
  return EVP_PKEY_fromdata(context, key, number ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, parameters);
}

/// Both numbers are in the machine's own byte order.
static inline int holdfast_rsa_key(
    EVP_PKEY_CTX *context, EVP_PKEY **key, unsigned char *modulus, size_t modulus_length, unsigned char *exponent,
    size_t exponent_length) {
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_RSA_N, modulus, modulus_length),
      OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_RSA_E, exponent, exponent_length),
      OSSL_PARAM_construct_end(),
  };
  if (EVP_PKEY_fromdata_init(context) != 1) return 0;
  return EVP_PKEY_fromdata(context, key, EVP_PKEY_PUBLIC_KEY, parameters);
}

/// Whether a key is one of P-256.
static inline int holdfast_is_p256(const EVP_PKEY *key) {
  char group[32];
  size_t length = 0;
  return EVP_PKEY_is_a(key, "EC") == 1 && EVP_PKEY_get_group_name(key, group, sizeof group, &length) == 1 &&
         strcmp(group, SN_X9_62_prime256v1) == 0;
}

/// The private number of a key, most significant byte first, in exactly `length` bytes.
static inline int holdfast_p256_number(const EVP_PKEY *key, unsigned char *target, size_t length) {
  BIGNUM *number = NULL;
  if (EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &number) != 1) return 0;
  int written = BN_bn2binpad(number, target, (int)length);
  BN_clear_free(number);
  return written == (int)length;
}
