// The floor of a SLIP-39 kit: 10,000 iterations of PBKDF2-HMAC-SHA256 and nothing else.
// pbkdf2 COUNT: does them so many times; prints µs for each, CPU time.
#include <openssl/sha.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void put(const SHA256_CTX *state, uint8_t *bytes) {
  for (int word = 0; word < 8; word++)
    for (int byte = 0; byte < 4; byte++) bytes[4 * word + byte] = (uint8_t)(state->h[word] >> (24 - 8 * byte));
}

static void iterate(const SHA256_CTX *inner, const SHA256_CTX *outer, uint8_t block[64]) {
  SHA256_CTX work;
  memcpy(work.h, inner->h, sizeof work.h);
  SHA256_Transform(&work, block);
  put(&work, block);
  memcpy(work.h, outer->h, sizeof work.h);
  SHA256_Transform(&work, block);
  put(&work, block);
}

static double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  int count = atoi(argv[1]);
  uint8_t block[64] = {0}, pad[64], sum = 0;
  SHA256_CTX inner, outer;
  block[32] = 0x80;
  block[62] = 3;  // 96 bytes in bits
  memset(pad, 0x36, 64);
  SHA256_Init(&inner);
  SHA256_Update(&inner, pad, 64);
  memset(pad, 0x5c, 64);
  SHA256_Init(&outer);
  SHA256_Update(&outer, pad, 64);
  double start = microseconds();
  for (int turn = 0; turn < count; turn++)
    for (int i = 0; i < 10000; i++) {
      iterate(&inner, &outer, block);
      sum ^= block[0];
    }
  printf("%.1f\n", (microseconds() - start) / count);
  return sum == 1 ? 3 : 0;  // used, so that nothing is left out
}
