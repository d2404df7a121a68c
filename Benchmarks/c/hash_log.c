// hash_log FILE: reads an audit log and hashes, record by record, what a check of it must hash: each leaf once, two nodes' worth for each
// leaf. No parsing beyond the lengths, no comparing. Prints ms of CPU time.
#include <openssl/sha.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  double start = cpu_ms();
  FILE *file = fopen(argv[1], "rb");
  if (!file) return 1;
  static unsigned char record[512];
  unsigned char node[65] = {1};
  if (fseek(file, 152, SEEK_SET)) return 1;
  while (fread(record, 1, 4, file) == 4) {
    uint32_t length = (uint32_t)record[0] << 24 | record[1] << 16 | record[2] << 8 | record[3];
    if (length < 136 || length > sizeof record || fread(record + 4, 1, length - 4, file) != length - 4) return 1;
    SHA256_CTX hash;
    unsigned char zero = 0;
    SHA256_Init(&hash);
    SHA256_Update(&hash, &zero, 1);
    SHA256_Update(&hash, record + 8, length - 8 - 36);
    SHA256_Final(node + 1, &hash);
    SHA256(node, sizeof node, node + 33);
  }
  fclose(file);
  printf("%f\n", cpu_ms() - start);
  return 0;
}
