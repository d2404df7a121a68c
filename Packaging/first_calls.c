// first_calls OFFSETS CALLED PROGRAM ARGUMENT…: which functions of a program run, in the order in which each is called first.
//
// OFFSETS has the functions' addresses in the file, in hex and rising, one a line; CALLED gets those that were called. A breakpoint stands at
// each function until it is called, so the program takes hardly longer than without. At its end, a line as spawn's goes to standard error, without
// times. For x86-64.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { most_functions = 1 << 20 };

static unsigned long offsets[most_functions];
static unsigned char bytes[most_functions];
static char called[most_functions];
static int count;

static void read_offsets(const char *name) {
  FILE *file = fopen(name, "r");
  while (file && count < most_functions && fscanf(file, "%lx", &offsets[count]) == 1) count++;
  if (!file || fclose(file)) exit(2);
}

static int ascending(const void *a, const void *b) {
  unsigned long left = *(const unsigned long *)a, right = *(const unsigned long *)b;
  return (left > right) - (left < right);
}

static unsigned long loaded_at(pid_t process) {
  char name[64];
  unsigned long address = 0;
  snprintf(name, sizeof name, "/proc/%d/maps", process);
  FILE *maps = fopen(name, "r");
  if (!maps || fscanf(maps, "%lx", &address) != 1 || fclose(maps)) exit(2);
  return address;
}

static int set_breakpoints(pid_t process, unsigned long base) {
  char name[64];
  snprintf(name, sizeof name, "/proc/%d/mem", process);
  int memory = open(name, O_RDWR);
  for (int i = 0; i < count; i++)
    if (pread(memory, &bytes[i], 1, base + offsets[i]) != 1 || pwrite(memory, "\xcc", 1, base + offsets[i]) != 1) exit(2);
  return memory;
}

// A thread stands behind a breakpoint: the function's first byte comes back, and the thread goes on there.
static void note(pid_t thread, int memory, unsigned long base, FILE *output) {
  struct user_regs_struct registers;
  ptrace(PTRACE_GETREGS, thread, 0, &registers);
  unsigned long offset = registers.rip - 1 - base;
  unsigned long *found = bsearch(&offset, offsets, count, sizeof *offsets, ascending);
  if (!found) return;
  int place = found - offsets;
  if (!called[place]) fprintf(output, "%lx\n", offset);
  if (pwrite(memory, &bytes[place], 1, base + offset) != 1) exit(2);
  called[place] = 1;
  registers.rip--;
  ptrace(PTRACE_SETREGS, thread, 0, &registers);
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  read_offsets(argv[1]);
  FILE *output = fopen(argv[2], "w");
  pid_t process = fork(), thread;
  int status;
  if (process == 0) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    raise(SIGSTOP);
    execv(argv[3], argv + 3);
    _exit(127);
  }
  waitpid(process, &status, 0);
  ptrace(PTRACE_SETOPTIONS, process, 0, PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC);
  ptrace(PTRACE_CONT, process, 0, 0);
  waitpid(process, &status, 0);
  if (!output || !WIFSTOPPED(status)) return 2;
  unsigned long base = loaded_at(process);
  int memory = set_breakpoints(process, base);
  ptrace(PTRACE_CONT, process, 0, 0);
  while ((thread = waitpid(-1, &status, __WALL)) > 0) {
    if (!WIFSTOPPED(status)) {
      if (thread == process) break;
      continue;
    }
    int signal = WSTOPSIG(status);
    if (signal == SIGTRAP && status >> 16 == 0) note(thread, memory, base, output);
    ptrace(PTRACE_CONT, thread, 0, signal == SIGTRAP || signal == SIGSTOP ? 0 : signal);
  }
  fclose(output);
  fprintf(stderr, "0 0 0 %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  return 0;
}
