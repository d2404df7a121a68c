// sign_event FILE START COUNT [show]: answers COUNT messages of the file from START on and prints the CPU time of each, in µs.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "input.h"

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

// Sessions are cached before the clock starts, as in a running signer.
static void meet_clients(signer *s, const input *in) {
  static uint8_t memory[MAX_MESSAGE];
  for (size_t i = 0; i < in->clients; i++) {
    buffer scratch = BUFFER_ON(memory);
    event e;
    if (!parse_relay_event(in->messages[i], &scratch, &e)) exit(1);
    session *peer = session_for(s, e.public_key);
    if (peer) peer->paired = true;
  }
}

static size_t run(signer *s, const input *in, size_t start, size_t count, bool show) {
  static uint8_t memory[MAX_MESSAGE];
  size_t answered = 0;
  for (size_t i = 0; i < count; i++) {
    buffer out = BUFFER_ON(memory);
    if (signer_answer(s, in->messages[(start + i) % in->count], in->now, &out)) answered++;
    if (show) printf("%.*s\n", (int)out.length, out.at);
  }
  return answered;
}

int main(int argc, char **argv) {
  static signer s;
  static keypair transport;
  input in;
  if (argc < 4) return fprintf(stderr, "usage: sign_event FILE START COUNT [show]\n"), 2;
  input_read(argv[1], &in);
  size_t start = strtoull(argv[2], NULL, 10), count = strtoull(argv[3], NULL, 10);
  bool show = argc > 4;
  if (!keypair_from(&s.user, in.user) || !keypair_from(&transport, in.transport)) return 1;
  s.transport = &transport;
  meet_clients(&s, &in);
  double before = cpu_seconds();
  size_t answered = run(&s, &in, start, count, show);
  double spent = cpu_seconds() - before;
  if (answered != count) return fprintf(stderr, "%zu of %zu were not answered\n", count - answered, count), 1;
  if (!show) printf("%.3f\n", count ? spent / (double)count * 1e6 : 0);
  return 0;
}
