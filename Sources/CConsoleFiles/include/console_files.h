/* The pages of the console (Web/console), compiled in. */
#ifndef HOLDFAST_CONSOLE_FILES_H
#define HOLDFAST_CONSOLE_FILES_H

#include <stddef.h>

typedef struct {
  const char *path;           /* below Web/console, as "index.html" */
  const unsigned char *bytes; /* never null; a zero stands behind the last */
  size_t count;
} holdfast_console_file;

extern const holdfast_console_file holdfast_console_files[];
extern const size_t holdfast_console_file_count;

/* The table is an array of a length that Swift does not see. */
static inline const holdfast_console_file *holdfast_console_file_at(size_t index) { return &holdfast_console_files[index]; }

#endif
