#include "bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

static const char hex_digits[] = "0123456789abcdef";
static const char base64_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static uint8_t hex_values[256], base64_values[256];

__attribute__((constructor)) static void fill_tables(void) {
  memset(hex_values, 255, sizeof hex_values);
  memset(base64_values, 255, sizeof base64_values);
  for (int i = 0; i < 16; i++) hex_values[(uint8_t)hex_digits[i]] = (uint8_t)i;
  for (int i = 10; i < 16; i++) hex_values[(uint8_t)("ABCDEF"[i - 10])] = (uint8_t)i;
  for (int i = 0; i < 64; i++) base64_values[(uint8_t)base64_digits[i]] = (uint8_t)i;
}

void put_integer(buffer *b, int64_t value) {
  char text[24];
  char *start = text + sizeof text;
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  do *--start = (char)('0' + rest % 10);
  while ((rest /= 10) != 0);
  if (value < 0) *--start = '-';
  put(b, slice_of(start, (size_t)(text + sizeof text - start)));
}

void put_hex(buffer *b, const uint8_t *bytes, size_t count) {
  uint8_t *text = buffer_room(b, count * 2);
  if (!text) return;
  for (size_t i = 0; i < count; i++) {
    text[2 * i] = (uint8_t)hex_digits[bytes[i] >> 4];
    text[2 * i + 1] = (uint8_t)hex_digits[bytes[i] & 15];
  }
  b->length += count * 2;
}

bool hex_decode(slice text, uint8_t *bytes, size_t count) {
  if (text.length != count * 2) return false;
  uint8_t seen = 0;
  for (size_t i = 0; i < count; i++) {
    uint8_t high = hex_values[text.at[2 * i]], low = hex_values[text.at[2 * i + 1]];
    seen |= high | low;
    bytes[i] = (uint8_t)(high << 4 | low);
  }
  return seen < 16;
}

void put_base64(buffer *b, slice in) {
  size_t count = (in.length + 2) / 3 * 4, whole = in.length / 3 * 3, rest = in.length - whole;
  uint8_t *text = buffer_room(b, count);
  if (!text) return;
  for (size_t i = 0; i < whole; i += 3, text += 4) {
    uint32_t group = (uint32_t)in.at[i] << 16 | (uint32_t)in.at[i + 1] << 8 | in.at[i + 2];
    text[0] = (uint8_t)base64_digits[group >> 18];
    text[1] = (uint8_t)base64_digits[group >> 12 & 63];
    text[2] = (uint8_t)base64_digits[group >> 6 & 63];
    text[3] = (uint8_t)base64_digits[group & 63];
  }
  if (rest) {
    uint32_t group = (uint32_t)in.at[whole] << 16 | (rest == 2 ? (uint32_t)in.at[whole + 1] << 8 : 0);
    text[0] = (uint8_t)base64_digits[group >> 18];
    text[1] = (uint8_t)base64_digits[group >> 12 & 63];
    text[2] = rest == 2 ? (uint8_t)base64_digits[group >> 6 & 63] : '=';
    text[3] = '=';
  }
  b->length += count;
}

// The last four digits, of which one or two are padding.
static bool decode_last(const uint8_t *text, size_t padding, uint8_t *bytes) {
  uint8_t p = base64_values[text[0]], q = base64_values[text[1]], r = padding == 1 ? base64_values[text[2]] : 0;
  if ((p | q | r) >= 64) return false;
  bytes[0] = (uint8_t)(p << 2 | q >> 4);
  if (padding == 2) return (q & 15) == 0;
  bytes[1] = (uint8_t)(q << 4 | r >> 2);
  return (r & 3) == 0;
}

bool base64_decode(slice text, buffer *out) {
  if (text.length % 4 != 0) return false;
  if (text.length == 0) return true;
  size_t padding = text.at[text.length - 1] != '=' ? 0 : text.at[text.length - 2] != '=' ? 1 : 2;
  size_t count = text.length / 4 * 3 - padding, whole = padding ? text.length - 4 : text.length;
  uint8_t *bytes = buffer_room(out, count);
  if (!bytes) return false;
  uint8_t seen = 0;
  for (size_t i = 0; i < whole; i += 4, bytes += 3) {
    uint8_t p = base64_values[text.at[i]], q = base64_values[text.at[i + 1]];
    uint8_t r = base64_values[text.at[i + 2]], s = base64_values[text.at[i + 3]];
    seen |= p | q | r | s;
    bytes[0] = (uint8_t)(p << 2 | q >> 4);
    bytes[1] = (uint8_t)(q << 4 | r >> 2);
    bytes[2] = (uint8_t)(r << 6 | s);
  }
  if (seen >= 64 || (padding && !decode_last(text.at + whole, padding, bytes))) return false;
  out->length += count;
  return true;
}

void random_bytes(uint8_t *bytes, size_t count) {
  if (getrandom(bytes, count, 0) == (ssize_t)count) return;
  perror("getrandom");
  abort();
}

double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
