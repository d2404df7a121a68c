// Runs of bytes: lent ones (slice) and ones being written (buffer), with hex, base64 and randomness.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  const uint8_t *at;
  size_t length;
} slice;

// Fixed memory. Writing past the end sets `overflow` and writes nothing, so that it is checked once at the end.
typedef struct {
  uint8_t *at;
  size_t length, capacity;
  bool overflow;
} buffer;

#define BUFFER_ON(array) ((buffer){.at = (array), .length = 0, .capacity = sizeof(array), .overflow = false})
#define TEXT(literal) ((slice){(const uint8_t *)(literal), sizeof(literal) - 1})

static inline slice slice_of(const void *at, size_t length) { return (slice){at, length}; }
static inline slice contents(const buffer *b) { return (slice){b->at, b->length}; }
static inline slice slice_of_text(const char *text) { return (slice){(const uint8_t *)text, strlen(text)}; }

static inline bool slices_equal(slice a, slice b) { return a.length == b.length && memcmp(a.at, b.at, a.length) == 0; }

// Room for `count` more bytes, or NULL with `overflow` set. The caller advances `length`.
static inline uint8_t *buffer_room(buffer *b, size_t count) {
  if (b->capacity - b->length >= count) return b->at + b->length;
  b->overflow = true;
  return NULL;
}

static inline void put(buffer *b, slice s) {
  uint8_t *room = buffer_room(b, s.length);
  if (!room) return;
  memcpy(room, s.at, s.length);
  b->length += s.length;
}

void put_integer(buffer *b, int64_t value);
void put_hex(buffer *b, const uint8_t *bytes, size_t count);
void put_base64(buffer *b, slice bytes);

// Exactly `count` bytes from twice as many hex digits, either case.
bool hex_decode(slice text, uint8_t *bytes, size_t count);

// Strict: padded, no other bytes, no stray bits. Appends to `out`.
bool base64_decode(slice text, buffer *out);

void random_bytes(uint8_t *bytes, size_t count);
double seconds_now(void);
