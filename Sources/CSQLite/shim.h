#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast macro, which Swift cannot import.
static inline sqlite3_destructor_type holdfast_sqlite_transient(void) { return SQLITE_TRANSIENT; }
// sqlite3_db_config is variadic.
static inline int holdfast_sqlite_db_config_int(sqlite3 *db, int op, int value) {
  return sqlite3_db_config(db, op, value, (int *)0);
}
// Ends a statement after so many steps; 0 for no limit. The callback says "stop" the first time it is asked.
static inline int holdfast_sqlite_stop(void *unused) { return 1; }
static inline void holdfast_sqlite_limit_steps(sqlite3 *db, int count) {
  sqlite3_progress_handler(db, count, count > 0 ? holdfast_sqlite_stop : 0, (void *)0);
}
// sqlite3_config is variadic: no statistics, so that no lock is taken for each allocation.
static inline int holdfast_sqlite_disable_memory_status(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
