#pragma once
// libpq, loaded when a PostgreSQL database is named: a push proxy with SQLite does without it. The types are the header's, the functions
// are looked up by name.
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#elif __has_include(<libpq/libpq-fe.h>)
#include <libpq/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif
#include <dlfcn.h>

struct holdfast_pq {
  PGconn *(*connectStartParams)(const char *const *, const char *const *, int);
  PostgresPollingStatusType (*connectPoll)(PGconn *);
  void (*finish)(PGconn *);
  ConnStatusType (*status)(const PGconn *);
  int (*socket)(const PGconn *);
  char *(*errorMessage)(const PGconn *);
  int (*connectionNeedsPassword)(const PGconn *);
  char *(*host)(const PGconn *);
  char *(*port)(const PGconn *);
  char *(*db)(const PGconn *);
  PGVerbosity (*setErrorVerbosity)(PGconn *, PGVerbosity);
  PQnoticeProcessor (*setNoticeProcessor)(PGconn *, PQnoticeProcessor, void *);
  int (*setnonblocking)(PGconn *, int);
  int (*sendQuery)(PGconn *, const char *);
  int (*sendPrepare)(PGconn *, const char *, const char *, int, const Oid *);
  int (*sendQueryPrepared)(PGconn *, const char *, int, const char *const *, const int *, const int *, int);
  int (*flush)(PGconn *);
  int (*isBusy)(PGconn *);
  PGresult *(*getResult)(PGconn *);
  ExecStatusType (*resultStatus)(const PGresult *);
  char *(*resultErrorField)(const PGresult *, int);
  int (*ntuples)(const PGresult *);
  int (*nfields)(const PGresult *);
  char *(*getvalue)(const PGresult *, int, int);
  int (*getlength)(const PGresult *, int, int);
  char *(*cmdTuples)(PGresult *);
  void (*clear)(PGresult *);
  int (*consumeInput)(PGconn *);
  PGnotify *(*notifies)(PGconn *);
  PQconninfoOption *(*conninfoParse)(const char *, char **);
  void (*conninfoFree)(PQconninfoOption *);
  void (*freemem)(void *);
};

// 1 when every function was found. The library stays loaded for the rest of the process.
static inline int holdfast_pq_load(struct holdfast_pq *pq) {
  static const char *const names[] = {"libpq.so.5", "libpq.5.dylib"};
  void *library = 0;
  for (int i = 0; i < 2 && !library; i++) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
#define HOLDFAST_FIND(name) (*(void **)&pq->name = dlsym(library, "PQ" #name))
  return HOLDFAST_FIND(connectStartParams) && HOLDFAST_FIND(connectPoll) && HOLDFAST_FIND(finish) && HOLDFAST_FIND(status) &&
         HOLDFAST_FIND(socket) && HOLDFAST_FIND(errorMessage) && HOLDFAST_FIND(connectionNeedsPassword) && HOLDFAST_FIND(host) &&
         HOLDFAST_FIND(port) && HOLDFAST_FIND(db) && HOLDFAST_FIND(setErrorVerbosity) && HOLDFAST_FIND(setNoticeProcessor) &&
         HOLDFAST_FIND(setnonblocking) && HOLDFAST_FIND(sendQuery) && HOLDFAST_FIND(sendPrepare) &&
         HOLDFAST_FIND(sendQueryPrepared) && HOLDFAST_FIND(flush) && HOLDFAST_FIND(isBusy) && HOLDFAST_FIND(getResult) &&
         HOLDFAST_FIND(resultStatus) && HOLDFAST_FIND(resultErrorField) && HOLDFAST_FIND(ntuples) && HOLDFAST_FIND(nfields) &&
         HOLDFAST_FIND(getvalue) && HOLDFAST_FIND(getlength) && HOLDFAST_FIND(cmdTuples) && HOLDFAST_FIND(clear) &&
         HOLDFAST_FIND(consumeInput) && HOLDFAST_FIND(notifies) && HOLDFAST_FIND(conninfoParse) && HOLDFAST_FIND(conninfoFree) && HOLDFAST_FIND(freemem);
#undef HOLDFAST_FIND
}

// Notices of the server are not printed.
static inline void holdfast_pq_ignore_notice(void *unused, const char *message) {}
