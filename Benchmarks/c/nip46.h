// NIP-46: what a signer answers, and what a client asks.
#pragma once
#include "event.h"
#include "nip44.h"

enum { MAX_MESSAGE = 1 << 18, MAX_PARAMS = 4 };

// Appends `["EVENT",{…}]` from `from` to `to`.
bool put_envelope(buffer *out, const keypair *from, const uint8_t to[32], slice content, int64_t now);

// The key in the p tag of a kind 24133 event; false for another kind or no key.
bool recipient_of(const event *e, uint8_t key[32]);

typedef struct {
  slice id, method, params[MAX_PARAMS];
  int param_count;
} request;

// A key the signer is addressed by: one for each pairing, or one for all.
typedef struct served_key {
  keypair key;
  struct served_key *next;  // in its bucket
} served_key;

// One client of one served key.
typedef struct session {
  uint8_t client[32];
  const served_key *served;
  conversation keys;
  bool paired;
  struct session *next;  // in its bucket
} session;

enum { BUCKETS = 4096 };

typedef struct {
  keypair user;
  const char *secret;  // what connect must bring; NULL for anything
  served_key *served_keys[BUCKETS];
  session *sessions[BUCKETS];
} signer;

const served_key *signer_add_key(signer *s, const keypair *key);

// The client's session, made at need (which costs an ECDH). NULL when the key is no point.
session *session_for(signer *s, const served_key *served, const uint8_t client[32]);

// Relay text in, relay text out: `["EVENT",<sub>,{…}]` to `["EVENT",{…}]`. False when there is nothing to answer.
// `now`: seconds, the reply's created_at.
bool signer_answer(signer *s, slice message, int64_t now, buffer *out);

// A client with its conversation with one signer.
typedef struct {
  keypair key;
  uint8_t signer_key[32];
  conversation keys;
} client;

bool client_meets(client *c, const uint8_t signer_key[32]);

// Appends `["EVENT",{…}]`. `params` are plain texts.
bool client_ask(const client *c, slice id, slice method, const slice *params, int count, int64_t now, buffer *out);

typedef struct {
  slice id, result, error;
} answer;

// Reads the signer's `["EVENT",…]`. `verify` also checks the id and signature. The slices point into `scratch`.
bool client_read(const client *c, slice message, bool verify, buffer *scratch, answer *out);

// Checks a sign_event result: a whole event, verified, by `user`.
bool signed_event_is_valid(slice text, const uint8_t user[32], buffer *scratch);
