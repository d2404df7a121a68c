#pragma once
// The low-level SHA-256 calls cost half of what EVP does on short inputs; they are deprecated, not removed.
#define OPENSSL_SUPPRESS_DEPRECATED 1
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
