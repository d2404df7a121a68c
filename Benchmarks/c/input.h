// The file both loops read: keys first, then one relay message a line. `generate.c` writes it; docs in ../README.md.
#pragma once
#include "nip46.h"

typedef struct {
  uint8_t client[32], transport[32];  // the client's public key, and the secret key it is answered with
} pairing;

typedef struct {
  int64_t now;  // created_at of the messages
  uint8_t user[32];
  size_t pairing_count, count;
  pairing *pairings;
  slice *messages;
} input;

// Ends the program with a sentence when the file cannot be used.
void input_read(const char *path, input *in);
