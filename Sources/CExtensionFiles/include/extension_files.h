/* The files of the browser's extension (Web/extension), compiled in. */
#ifndef HOLDFAST_EXTENSION_FILES_H
#define HOLDFAST_EXTENSION_FILES_H

#include <stddef.h>

typedef struct {
  const char *path;           /* below Web/extension, as "manifest.json" */
  const unsigned char *bytes; /* never null; a zero stands behind the last */
  size_t count;
} holdfast_extension_file;

extern const holdfast_extension_file holdfast_extension_files[];
extern const size_t holdfast_extension_file_count;

/* The table is an array of a length that Swift does not see. */
static inline const holdfast_extension_file *holdfast_extension_file_at(size_t index) { return &holdfast_extension_files[index]; }

#endif
