// A strict cursor over JSON text: RFC 8259, valid UTF-8, bounded depth, no recursion without a depth.
#pragma once
#include "bytes.h"

enum { JSON_MAX_DEPTH = 32 };

// `scratch` takes the strings that held escapes; the others are lent from the text itself.
typedef struct {
  const uint8_t *at, *end;
  buffer *scratch;
} json;

static inline json json_over(slice text, buffer *scratch) { return (json){text.at, text.at + text.length, scratch}; }

bool json_string(json *j, slice *value);
bool json_integer(json *j, int64_t *value);
bool json_skip(json *j);                  // any value
bool json_take(json *j, uint8_t symbol);  // one of { } [ ] , : with white space before it; false when another comes
bool json_at_end(json *j);

// Loops: `for (bool first = true; json_next_member(&j, &first, &key, &done) && !done;)`; false is a fault.
bool json_next_member(json *j, bool *first, slice *key, bool *done);
bool json_next_element(json *j, bool *first, bool *done);

// Appends `"…"` with the escapes of NIP-01.
void put_json_string(buffer *b, slice text);
// Appends the escaped text without the quotes.
void put_json_escaped(buffer *b, slice text);
