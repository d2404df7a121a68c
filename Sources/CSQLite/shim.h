#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast macro, which Swift cannot import.
static inline sqlite3_destructor_type holdfast_sqlite_transient(void) { return SQLITE_TRANSIENT; }
// sqlite3_db_config is variadic.
static inline int holdfast_sqlite_db_config_int(sqlite3 *db, int op, int value) {
  return sqlite3_db_config(db, op, value, (int *)0);
}
// sqlite3_config is variadic: no statistics, so that no lock is taken for each allocation.
static inline int holdfast_sqlite_disable_memory_status(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
