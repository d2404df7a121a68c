// The file both loops read: keys first, then one relay message a line. `generate.c` writes it; docs in ../README.md.
#pragma once
#include "nip46.h"

typedef struct {
  int64_t now;  // created_at of the messages
  uint8_t user[32], transport[32];
  size_t clients;  // the first so many messages are one of each client
  size_t count;
  slice *messages;
} input;

// Ends the program with a sentence when the file cannot be used.
void input_read(const char *path, input *in);
