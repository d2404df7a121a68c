// sign_event FILE WARM COUNT [show]: answers WARM messages of the file, then COUNT more, and prints the CPU time of each of those
// in microseconds (`show`: the answers instead).
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "input.h"

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

// Conversation keys are cached before the clock starts, as in a running signer.
static void prepare(signer *s, const input *in) {
  if (!keypair_from(&s->user, in->user)) exit(1);
  for (size_t i = 0; i < in->pairing_count; i++) {
    keypair key;
    if (!keypair_from(&key, in->pairings[i].transport)) exit(1);
    session *made = session_for(s, signer_add_key(s, &key), in->pairings[i].client);
    if (!made) exit(1);
    made->paired = true;
  }
}

static void run(signer *s, const input *in, size_t start, size_t count, bool show) {
  static uint8_t memory[MAX_MESSAGE];
  for (size_t i = start; i < start + count; i++) {
    buffer out = BUFFER_ON(memory);
    if (!signer_answer(s, in->messages[i], in->now, &out)) {
      fprintf(stderr, "message %zu was not answered\n", i);
      exit(1);
    }
    if (show) printf("%.*s\n", (int)out.length, out.at);
  }
}

int main(int argc, char **argv) {
  static signer s;
  input in;
  if (argc < 4) return fprintf(stderr, "usage: sign_event FILE WARM COUNT [show]\n"), 2;
  input_read(argv[1], &in);
  size_t warm = strtoull(argv[2], NULL, 10), count = strtoull(argv[3], NULL, 10);
  if (warm + count > in.count) return fprintf(stderr, "the file has %zu messages\n", in.count), 1;
  prepare(&s, &in);
  run(&s, &in, 0, warm, false);
  double before = cpu_seconds();
  run(&s, &in, warm, count, argc > 4);
  double spent = cpu_seconds() - before;
  if (argc == 4 && count) printf("%.3f\n", spent / (double)count * 1e6);
  return 0;
}
