// Runs a program and prints one line: milliseconds from start to end, milliseconds of CPU, KiB of peak memory, exit code.
//
// It is small and starts the program by vfork: the peak that wait4 tells is never below that of the process that started it.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double milliseconds(struct timeval t) { return t.tv_sec * 1e3 + t.tv_usec / 1e3; }

int main(int argc, char **argv)
{
	struct timespec before, after;
	struct rusage used;
	int status;

	if (argc < 2)
		return 2;
	clock_gettime(CLOCK_MONOTONIC, &before);
	pid_t child = vfork();
	if (child < 0)
		return 1;
	if (child == 0) {
		execv(argv[1], argv + 1);
		_exit(127);
	}
	if (wait4(child, &status, 0, &used) != child)
		return 1;
	clock_gettime(CLOCK_MONOTONIC, &after);
	double taken = (after.tv_sec - before.tv_sec) * 1e3 + (after.tv_nsec - before.tv_nsec) / 1e6;
	fprintf(stderr, "%.3f %.3f %ld %d\n", taken, milliseconds(used.ru_utime) + milliseconds(used.ru_stime), used.ru_maxrss,
		WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	return 0;
}
