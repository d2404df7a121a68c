#include "json.h"

static void skip_space(json *j) {
  while (j->at < j->end && (*j->at == ' ' || *j->at == '\n' || *j->at == '\t' || *j->at == '\r')) j->at++;
}

bool json_take(json *j, uint8_t symbol) {
  skip_space(j);
  if (j->at == j->end || *j->at != symbol) return false;
  j->at++;
  return true;
}

bool json_at_end(json *j) {
  skip_space(j);
  return j->at == j->end;
}

// Length of the UTF-8 sequence at `at` (a byte of 0x80 or more), or 0.
static size_t utf8_length(const uint8_t *at, const uint8_t *end) {
  size_t left = (size_t)(end - at);
  if (left >= 2 && at[0] >= 0xc2 && at[0] <= 0xdf) return (at[1] & 0xc0) == 0x80 ? 2 : 0;
  if (left >= 3 && (at[0] & 0xf0) == 0xe0) {
    bool valid = (at[1] & 0xc0) == 0x80 && (at[2] & 0xc0) == 0x80;
    if (at[0] == 0xe0) valid = valid && at[1] >= 0xa0;
    if (at[0] == 0xed) valid = valid && at[1] < 0xa0;
    return valid ? 3 : 0;
  }
  if (left >= 4 && at[0] >= 0xf0 && at[0] <= 0xf4) {
    bool valid = (at[1] & 0xc0) == 0x80 && (at[2] & 0xc0) == 0x80 && (at[3] & 0xc0) == 0x80;
    if (at[0] == 0xf0) valid = valid && at[1] >= 0x90;
    if (at[0] == 0xf4) valid = valid && at[1] < 0x90;
    return valid ? 4 : 0;
  }
  return 0;
}

// 1 for a byte that needs care inside a string: controls, quote, backslash, anything beyond ASCII.
static uint8_t special[256];

__attribute__((constructor)) static void fill_special(void) {
  for (int i = 0; i < 256; i++) special[i] = i < 0x20 || i == '"' || i == '\\' || i >= 0x80;
}

// Bytes from `at` that need no look, eight at a time and the rest one by one.
static const uint8_t *skip_plain(const uint8_t *at, const uint8_t *end) {
  const uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080;
  for (; end - at >= 8; at += 8) {
    uint64_t word;
    memcpy(&word, at, 8);
    uint64_t quote = word ^ ones * '"', backslash = word ^ ones * '\\';
    if ((word | (word - ones * 0x20) | (quote - ones) | (backslash - ones)) & tops) break;
  }
  while (at < end && !special[*at]) at++;
  return at;
}

static bool hex4(json *j, uint32_t *unit) {
  uint8_t bytes[2];
  if (j->end - j->at < 4 || !hex_decode(slice_of(j->at, 4), bytes, 2)) return false;
  *unit = (uint32_t)bytes[0] << 8 | bytes[1];
  j->at += 4;
  return true;
}

static void put_utf8(buffer *b, uint32_t scalar) {
  uint8_t bytes[4];
  size_t count;
  if (scalar < 0x80) {
    bytes[0] = (uint8_t)scalar, count = 1;
  } else if (scalar < 0x800) {
    bytes[0] = (uint8_t)(0xc0 | scalar >> 6), bytes[1] = (uint8_t)(0x80 | (scalar & 63)), count = 2;
  } else if (scalar < 0x10000) {
    bytes[0] = (uint8_t)(0xe0 | scalar >> 12), bytes[1] = (uint8_t)(0x80 | (scalar >> 6 & 63));
    bytes[2] = (uint8_t)(0x80 | (scalar & 63)), count = 3;
  } else {
    bytes[0] = (uint8_t)(0xf0 | scalar >> 18), bytes[1] = (uint8_t)(0x80 | (scalar >> 12 & 63));
    bytes[2] = (uint8_t)(0x80 | (scalar >> 6 & 63)), bytes[3] = (uint8_t)(0x80 | (scalar & 63)), count = 4;
  }
  put(b, slice_of(bytes, count));
}

static bool unicode_escape(json *j) {
  uint32_t unit, low;
  if (!hex4(j, &unit)) return false;
  if (unit >= 0xdc00 && unit <= 0xdfff) return false;
  if (unit >= 0xd800 && unit <= 0xdbff) {
    if (j->end - j->at < 6 || j->at[0] != '\\' || j->at[1] != 'u') return false;
    j->at += 2;
    if (!hex4(j, &low) || low < 0xdc00 || low > 0xdfff) return false;
    unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
  }
  put_utf8(j->scratch, unit);
  return true;
}

// The cursor is behind the backslash.
static bool escape(json *j) {
  if (j->at == j->end) return false;
  uint8_t letter = *j->at++, plain;
  switch (letter) {
  case '"': case '\\': case '/': plain = letter; break;
  case 'b': plain = '\b'; break;
  case 'f': plain = '\f'; break;
  case 'n': plain = '\n'; break;
  case 'r': plain = '\r'; break;
  case 't': plain = '\t'; break;
  case 'u': return unicode_escape(j);
  default: return false;
  }
  put(j->scratch, slice_of(&plain, 1));
  return true;
}

// Moves over plain text up to a quote or backslash; false for a control character, bad UTF-8 or the end.
static bool plain_run(json *j) {
  for (;;) {
    j->at = skip_plain(j->at, j->end);
    if (j->at == j->end || *j->at < 0x20) return false;
    if (*j->at < 0x80) return true;
    size_t count = utf8_length(j->at, j->end);
    if (count == 0) return false;
    j->at += count;
  }
}

bool json_string(json *j, slice *value) {
  if (!json_take(j, '"')) return false;
  const uint8_t *start = j->at;
  if (!plain_run(j)) return false;
  if (*j->at == '"') {
    *value = slice_of(start, (size_t)(j->at++ - start));
    return true;
  }
  size_t offset = j->scratch->length;
  for (;;) {
    put(j->scratch, slice_of(start, (size_t)(j->at - start)));
    if (*j->at++ == '"') break;
    if (!escape(j)) return false;
    start = j->at;
    if (!plain_run(j)) return false;
  }
  *value = slice_of(j->scratch->at + offset, j->scratch->length - offset);
  return !j->scratch->overflow;
}

static bool is_digit(const json *j) { return j->at < j->end && *j->at >= '0' && *j->at <= '9'; }

bool json_integer(json *j, int64_t *value) {
  skip_space(j);
  bool negative = j->at < j->end && *j->at == '-';
  if (negative) j->at++;
  if (!is_digit(j)) return false;
  const uint8_t *start = j->at;
  int64_t sum = 0;
  while (is_digit(j)) {
    if (__builtin_mul_overflow(sum, 10, &sum) || __builtin_add_overflow(sum, *j->at - '0', &sum)) return false;
    j->at++;
  }
  if (*start == '0' && j->at - start > 1) return false;
  if (j->at < j->end && (*j->at == '.' || *j->at == 'e' || *j->at == 'E')) return false;
  *value = negative ? -sum : sum;
  return true;
}

static bool skip_digits(json *j) {
  if (!is_digit(j)) return false;
  while (is_digit(j)) j->at++;
  return true;
}

static bool skip_number(json *j) {
  if (*j->at == '-') j->at++;
  const uint8_t *start = j->at;
  if (!skip_digits(j) || (*start == '0' && j->at - start > 1)) return false;
  if (j->at < j->end && *j->at == '.') {
    j->at++;
    if (!skip_digits(j)) return false;
  }
  if (j->at < j->end && (*j->at == 'e' || *j->at == 'E')) {
    j->at++;
    if (j->at < j->end && (*j->at == '+' || *j->at == '-')) j->at++;
    return skip_digits(j);
  }
  return true;
}

static bool skip_word(json *j, slice word) {
  if ((size_t)(j->end - j->at) < word.length || memcmp(j->at, word.at, word.length) != 0) return false;
  j->at += word.length;
  return true;
}

bool json_next_element(json *j, bool *first, bool *done) {
  *done = json_take(j, ']');
  if (*done) return true;
  if (!*first && !json_take(j, ',')) return false;
  *first = false;
  return true;
}

bool json_next_member(json *j, bool *first, slice *key, bool *done) {
  *done = json_take(j, '}');
  if (*done) return true;
  if (!*first && !json_take(j, ',')) return false;
  *first = false;
  return json_string(j, key) && json_take(j, ':');
}

static bool skip_value(json *j, int depth) {
  slice ignored;
  bool first = true, done = false;
  skip_space(j);
  if (j->at == j->end || depth == 0) return false;
  switch (*j->at) {
  case '"': return json_string(j, &ignored);
  case 't': return skip_word(j, TEXT("true"));
  case 'f': return skip_word(j, TEXT("false"));
  case 'n': return skip_word(j, TEXT("null"));
  case '[':
    j->at++;
    for (;;) {
      if (!json_next_element(j, &first, &done)) return false;
      if (done) return true;
      if (!skip_value(j, depth - 1)) return false;
    }
  case '{':
    j->at++;
    for (;;) {
      if (!json_next_member(j, &first, &ignored, &done)) return false;
      if (done) return true;
      if (!skip_value(j, depth - 1)) return false;
    }
  default: return skip_number(j);
  }
}

bool json_skip(json *j) { return skip_value(j, JSON_MAX_DEPTH); }

static void put_escape(buffer *b, uint8_t byte) {
  static const char digits[] = "0123456789abcdef";
  switch (byte) {
  case '"': put(b, TEXT("\\\"")); return;
  case '\\': put(b, TEXT("\\\\")); return;
  case '\b': put(b, TEXT("\\b")); return;
  case '\f': put(b, TEXT("\\f")); return;
  case '\n': put(b, TEXT("\\n")); return;
  case '\r': put(b, TEXT("\\r")); return;
  case '\t': put(b, TEXT("\\t")); return;
  }
  uint8_t text[6] = {'\\', 'u', '0', '0', (uint8_t)digits[byte >> 4], (uint8_t)digits[byte & 15]};
  put(b, slice_of(text, 6));
}

void put_json_escaped(buffer *b, slice text) {
  const uint8_t *at = text.at, *end = text.at + text.length, *start = at;
  while ((at = skip_plain(at, end)) < end) {
    if (*at++ >= 0x80) continue;
    put(b, slice_of(start, (size_t)(at - 1 - start)));
    put_escape(b, at[-1]);
    start = at;
  }
  put(b, slice_of(start, (size_t)(end - start)));
}

void put_json_string(buffer *b, slice text) {
  put(b, TEXT("\""));
  put_json_escaped(b, text);
  put(b, TEXT("\""));
}
