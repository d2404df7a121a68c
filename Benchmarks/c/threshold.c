// The floor of threshold signing with libsecp256k1's public functions: the multiplications that cannot be left out, and nothing else.
// threshold member|aggregate SIGNERS COUNT
//   member     a nonce (2 of the generator), the nonce's point (1), the check of the own part (1 of the generator, 2)
//   aggregate  reading the nonces (2 roots each), the nonce's point (1), one BIP-340 verification
// Prints µs for each, CPU time, and how many multiplications it did.
#include <secp256k1.h>
#include <secp256k1_extrakeys.h>
#include <secp256k1_schnorrsig.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static secp256k1_context *curve;
static unsigned char number[32];

static void must(int done) {
  if (!done) exit(1);
}

static double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void next(void) {
  for (int place = 31; place > 0 && ++number[place] == 0; place--) {
  }
}

static secp256k1_pubkey created(void) {
  secp256k1_pubkey point;
  next();
  must(secp256k1_ec_pubkey_create(curve, &point, number));
  return point;
}

static secp256k1_pubkey multiplied(secp256k1_pubkey point) {
  next();
  must(secp256k1_ec_pubkey_tweak_mul(curve, &point, number));
  return point;
}

static secp256k1_pubkey sum(const secp256k1_pubkey *one, const secp256k1_pubkey *other) {
  const secp256k1_pubkey *both[] = {one, other};
  secp256k1_pubkey point;
  must(secp256k1_ec_pubkey_combine(curve, &point, both, 2));
  return point;
}

static void read_points(const unsigned char *bytes, int count) {
  secp256k1_pubkey point;
  for (int i = 0; i < count; i++) must(secp256k1_ec_pubkey_parse(curve, &point, bytes, 33));
}

static int member(const unsigned char *bytes) {
  secp256k1_pubkey first = created(), second = created(), own = created(), point;
  read_points(bytes, 2);
  point = multiplied(second);
  point = sum(&first, &point);
  point = multiplied(second);
  own = multiplied(own);
  point = sum(&point, &own);
  return 6;
}

static int aggregate(const unsigned char *bytes, int signers, const unsigned char *signature, const secp256k1_xonly_pubkey *key) {
  static secp256k1_pubkey second;
  static int is_made;
  if (!is_made) second = created(), is_made = 1;
  read_points(bytes, 2 * signers);
  multiplied(second);
  must(secp256k1_schnorrsig_verify(curve, signature, number, 0, key));
  return 3;
}

int main(int argc, char **argv) {
  unsigned char bytes[33], signature[64];
  size_t length = sizeof bytes;
  secp256k1_keypair pair;
  secp256k1_xonly_pubkey key;
  secp256k1_schnorrsig_extraparams none = SECP256K1_SCHNORRSIG_EXTRAPARAMS_INIT;

  if (argc != 4) return 2;
  int signers = atoi(argv[2]), count = atoi(argv[3]), done = 0;
  curve = secp256k1_context_create(SECP256K1_CONTEXT_NONE);
  memset(number, 0x5a, sizeof number);
  secp256k1_pubkey point = created();
  must(secp256k1_ec_pubkey_serialize(curve, bytes, &length, &point, SECP256K1_EC_COMPRESSED));
  must(secp256k1_keypair_create(curve, &pair, number));
  must(secp256k1_keypair_xonly_pub(curve, &key, NULL, &pair));
  must(secp256k1_schnorrsig_sign_custom(curve, signature, number, 0, &pair, &none));
  double before = microseconds();
  for (int i = 0; i < count; i++)
    done += strcmp(argv[1], "member") == 0 ? member(bytes) : aggregate(bytes, signers, signature, &key);
  printf("%f %d\n", (microseconds() - before) / count, done / count);
  return 0;
}
