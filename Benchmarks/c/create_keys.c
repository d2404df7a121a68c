// create_keys SECONDS: makes one key pair after the other, each from the number after the last one's, and reads its x-only key. Prints
// keys a second of CPU time: what a search for a vanity key does that uses libsecp256k1 only.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "curve.h"

static double cpu_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  uint8_t secret[32];
  keypair pair;
  random_bytes(secret, sizeof secret);
  secret[0] = 1;
  double begin = cpu_seconds(), end = begin;
  long keys = 0;
  unsigned found = 0;
  while (end - begin < atof(argv[1])) {
    for (int i = 0; i < 256; i++, keys++) {
      for (int place = 31; place > 0 && ++secret[place] == 0; place--) {}
      if (!keypair_from(&pair, secret)) return 1;
      found += pair.public_key[0] == 0;
    }
    end = cpu_seconds();
  }
  if (found > keys) return 1;
  printf("%.0f\n", keys / (end - begin));
  return 0;
}
