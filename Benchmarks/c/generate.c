// generate FILE MESSAGES CLIENTS: writes the input both loops read. Every message is a different sign_event request.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "nip46.h"

static const char words[][12] = {"the", "key", "never", "moves", "apps", "ask", "owner", "answers", "rules", "sign", "note", "relay"};

static void put_template(buffer *b, size_t index, int64_t now) {
  uint8_t picks[12];
  random_bytes(picks, sizeof picks);
  put(b, TEXT("{\"kind\":1,\"content\":\""));
  for (size_t i = 0; i < sizeof picks; i++) {
    put(b, slice_of_text(words[picks[i] % 12]));
    put(b, i == 5 ? TEXT(",\\n") : TEXT(" "));
  }
  put_integer(b, (int64_t)index);
  put(b, TEXT("\",\"tags\":[[\"t\",\"holdfast\"]],\"created_at\":"));
  put_integer(b, now);
  put(b, TEXT("}"));
}

static void put_request(const client *c, size_t index, int64_t now, buffer *out) {
  uint8_t text[1024], id_text[16], random[8];
  buffer template = BUFFER_ON(text), id = BUFFER_ON(id_text);
  random_bytes(random, sizeof random);
  put_hex(&id, random, sizeof random);
  put_template(&template, index, now);
  slice param = contents(&template);
  client_ask(c, contents(&id), TEXT("sign_event"), &param, 1, now, out);
}

static void print_key(FILE *file, const char *name, const uint8_t secret[32]) {
  fprintf(file, "%s ", name);
  for (int i = 0; i < 32; i++) fprintf(file, "%02x", secret[i]);
  fputc('\n', file);
}

// The client's `["EVENT",{…}]` as the relay passes it on.
static void print_message(FILE *file, slice asked) {
  fprintf(file, "[\"EVENT\",\"signer\"%.*s\n", (int)(asked.length - 8), asked.at + 8);
}

// Each client with the key it is answered with.
static client *make_clients(FILE *file, size_t count) {
  client *clients = calloc(count + 1, sizeof *clients);
  if (!clients) abort();
  fprintf(file, "pairings %zu\n", count);
  for (size_t i = 0; i < count; i++) {
    uint8_t secret[32];
    keypair transport;
    keypair_random(&clients[i].key, secret);
    print_key(file, "client", clients[i].key.public_key);
    keypair_random(&transport, secret);
    print_key(file, "transport", secret);
    client_meets(&clients[i], transport.public_key);
  }
  return clients;
}

int main(int argc, char **argv) {
  static uint8_t memory[1 << 16];
  uint8_t user_secret[32];
  keypair user;
  if (argc != 4) return fprintf(stderr, "usage: generate FILE MESSAGES CLIENTS\n"), 2;
  size_t messages = strtoull(argv[2], NULL, 10), count = strtoull(argv[3], NULL, 10);
  FILE *file = fopen(argv[1], "w");
  if (!file) return perror(argv[1]), 1;
  int64_t now = (int64_t)time(NULL);
  fprintf(file, "now %lld\n", (long long)now);
  keypair_random(&user, user_secret);
  print_key(file, "user", user_secret);
  client *clients = make_clients(file, count);
  fprintf(file, "messages %zu\n", messages);
  for (size_t i = 0; i < messages; i++) {
    buffer out = BUFFER_ON(memory);
    put_request(&clients[i % count], i, now, &out);
    print_message(file, contents(&out));
  }
  return fclose(file) == 0 ? 0 : 1;
}
