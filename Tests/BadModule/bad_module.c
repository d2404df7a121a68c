// A PKCS#11 module that does harm, for tests: with one token, and a key on it whose public half is the generator of P-256.
//
// PKCS11_BAD=WHAT:WHERE. WHAT: abort, fault, exit, hang, lie (lengths and counts), overflow (writes past what it was given), garbage,
// trickle and long (bytes on the socket to the signer), hangup, look (writes what it can see to the file PKCS11_REPORT).
// WHERE: load, initialize, slots, token, login, find, attribute, sign, finalize.
#define _GNU_SOURCE
#include <fcntl.h>
#include <p11-kit-1/p11-kit/pkcs11.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

extern char **environ;

static int is(const char *what, const char *where) {
  char wanted[64];
  const char *given = getenv("PKCS11_BAD");
  snprintf(wanted, sizeof wanted, "%s:%s", what, where);
  return given && strcmp(given, wanted) == 0;
}

static void see(FILE *out, const char *name, const char *path) {
  char bytes[65536];
  int file = open(path, O_RDONLY);
  ssize_t count = file < 0 ? -1 : read(file, bytes, sizeof bytes);
  fprintf(out, "%s: %s\n", name, count < 0 ? "refused" : "read");
  if (count > 0) fwrite(bytes, 1, (size_t)count, out);
  fprintf(out, "\n");
}

static void look(const unsigned char *pin, unsigned long length) {
  FILE *out = fopen(getenv("PKCS11_REPORT"), "w");
  if (!out) return;
  char path[64];
  for (char **next = environ; *next; next++) fprintf(out, "own variable: %s\n", *next);
  for (int file = 0; file < 1024; file++) {
    char target[256];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    ssize_t count = readlink(path, target, sizeof target - 1);
    if (count < 0 || file == fileno(out)) continue;
    target[count] = 0;
    fprintf(out, "own file: %d %s\n", file, target);
  }
  snprintf(path, sizeof path, "/proc/%d/environ", getppid());
  see(out, "signer's environment", path);
  snprintf(path, sizeof path, "/proc/%d/maps", getppid());
  see(out, "signer's maps", path);
  snprintf(path, sizeof path, "/proc/%d/mem", getppid());
  fprintf(out, "signer's memory: %s\n", open(path, O_RDWR) < 0 ? "refused" : "read");
  int opened = 0;
  for (int file = 0; file < 1024; file++) {
    char target[256];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", getppid(), file);
    if (readlink(path, target, sizeof target) >= 0 || open(path, O_RDONLY | O_NONBLOCK) >= 0) opened = 1;
  }
  fprintf(out, "signer's files: %s\n", opened ? "read" : "refused");
  fprintf(out, "tracing the signer: %s\n", ptrace(PTRACE_SEIZE, getppid(), 0, 0) ? "refused" : "done");
  see(out, "own status", "/proc/self/status");
  see(out, "own limits", "/proc/self/limits");
  struct rlimit core = {1, 1};
  getrlimit(RLIMIT_CORE, &core);
  int death = 0;
  prctl(PR_GET_PDEATHSIG, &death);
  fprintf(out, "dumpable: %d, core: %lu, death signal: %d\n", prctl(PR_GET_DUMPABLE), (unsigned long)core.rlim_max, death);
  fprintf(out, "PIN: %.*s\n", (int)length, pin ? (const char *)pin : "");
  fclose(out);
}

static void act(const char *where) {
  if (is("abort", where)) abort();
  if (is("fault", where)) *(volatile int *)8 = 1;
  if (is("exit", where)) _exit(0);
  if (is("hang", where))
    for (;;) pause();
  if (is("garbage", where)) {
    unsigned char bytes[4096];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * 151 + 7);
    send(3, bytes, sizeof bytes, MSG_NOSIGNAL);
  }
  if (is("trickle", where)) {
    const unsigned char head[] = {0, 0, 0, 0x40, 0};
    send(3, head, sizeof head, MSG_NOSIGNAL);
    for (;;) {
      usleep(20000);  // slow, but never silent: the pace is what is tried
      if (send(3, head, 1, MSG_NOSIGNAL) < 0) _exit(0);
    }
  }
  if (is("long", where)) {
    const unsigned char head[] = {0, 0xFF, 0xFF, 0xFF, 0xFF};
    send(3, head, sizeof head, MSG_NOSIGNAL);
    for (;;) pause();
  }
  if (is("hangup", where)) {
    close(3);
    for (;;) pause();
  }
}

__attribute__((constructor)) static void loaded(void) {
  const char *marker = getenv("PKCS11_MARKER");
  if (marker) close(open(marker, O_CREAT | O_WRONLY, 0600));
  act("load");
}

static CK_RV initialize(void *arguments) { (void)arguments; act("initialize"); return CKR_OK; }
static CK_RV finalize(void *reserved) { (void)reserved; act("finalize"); return CKR_OK; }

static CK_RV info(CK_INFO *out) {
  memset(out, 0, sizeof *out);
  out->cryptokiVersion.major = 2;
  out->cryptokiVersion.minor = 40;
  return CKR_OK;
}

static CK_RV slots(CK_BBOOL present, CK_SLOT_ID *list, CK_ULONG *count) {
  (void)present;
  act("slots");
  CK_ULONG room = *count;
  *count = is("lie", "slots") ? ~0UL : 1;
  if (!list) return CKR_OK;
  if (room < 1) return CKR_BUFFER_TOO_SMALL;
  for (CK_ULONG i = 0; i < (is("overflow", "slots") ? 1000000 : is("lie", "slots") ? room : 1); i++) list[i] = 0;
  return CKR_OK;
}

static CK_RV slot_info(CK_SLOT_ID slot, CK_SLOT_INFO *out) {
  (void)slot;
  memset(out, 0, sizeof *out);
  out->flags = CKF_TOKEN_PRESENT;
  return CKR_OK;
}

static CK_RV token_info(CK_SLOT_ID slot, CK_TOKEN_INFO *out) {
  (void)slot;
  act("token");
  if (is("overflow", "token")) memset(out, 0x41, 1 << 22);
  memset(out, ' ', sizeof *out);
  memcpy(out->label, is("lie", "token") ? "\xFF\x00\x1B[31m%00" : "bad token", 9);
  out->flags = CKF_TOKEN_INITIALIZED | CKF_LOGIN_REQUIRED | CKF_USER_PIN_INITIALIZED;
  return CKR_OK;
}

static CK_RV mechanism_info(CK_SLOT_ID slot, CK_MECHANISM_TYPE type, CK_MECHANISM_INFO *out) {
  (void)slot, (void)type;
  *out = (CK_MECHANISM_INFO){256, 256, ~0UL};
  return CKR_OK;
}

static CK_RV open_session(CK_SLOT_ID slot, CK_FLAGS flags, void *data, CK_NOTIFY notify, CK_SESSION_HANDLE *out) {
  (void)slot, (void)flags, (void)data, (void)notify;
  *out = 1;
  return CKR_OK;
}
static CK_RV close_session(CK_SESSION_HANDLE session) { (void)session; return CKR_OK; }
static CK_RV login(CK_SESSION_HANDLE session, CK_USER_TYPE user, unsigned char *pin, CK_ULONG length) {
  (void)session, (void)user;
  act("login");
  if (is("look", "login")) look(pin, length);
  return CKR_OK;
}
static CK_RV logout(CK_SESSION_HANDLE session) { (void)session; return CKR_OK; }

static CK_RV find_begin(CK_SESSION_HANDLE session, CK_ATTRIBUTE *list, CK_ULONG count) {
  (void)session, (void)list, (void)count;
  act("find");
  return CKR_OK;
}
static CK_RV find(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE *out, CK_ULONG room, CK_ULONG *count) {
  (void)session;
  for (CK_ULONG i = 0; i < (is("overflow", "find") ? 1000000 : is("lie", "find") ? room : 1); i++) out[i] = 1;
  *count = is("lie", "find") ? ~0UL : 1;
  return CKR_OK;
}
static CK_RV find_end(CK_SESSION_HANDLE session) { (void)session; return CKR_OK; }

static const unsigned char generator[65] = {
    0x04, 0x6B, 0x17, 0xD1, 0xF2, 0xE1, 0x2C, 0x42, 0x47, 0xF8, 0xBC, 0xE6, 0xE5, 0x63, 0xA4, 0x40, 0xF2, 0x77, 0x03, 0x7D, 0x81, 0x2D,
    0xEB, 0x33, 0xA0, 0xF4, 0xA1, 0x39, 0x45, 0xD8, 0x98, 0xC2, 0x96, 0x4F, 0xE3, 0x42, 0xE2, 0xFE, 0x1A, 0x7F, 0x9B, 0x8E, 0xE7, 0xEB,
    0x4A, 0x7C, 0x0F, 0x9E, 0x16, 0x2B, 0xCE, 0x33, 0x57, 0x6B, 0x31, 0x5E, 0xCE, 0xCB, 0xB6, 0x40, 0x68, 0x37, 0xBF, 0x51, 0xF5};

static CK_RV attribute(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE *list, CK_ULONG count) {
  (void)session, (void)object, (void)count;
  act("attribute");
  if (is("overflow", "attribute")) memset(list->pValue, 0x41, 1 << 22);
  memcpy(list->pValue, generator, sizeof generator);
  list->ulValueLen = is("lie", "attribute") ? ~0UL : sizeof generator;
  return CKR_OK;
}

static CK_RV sign_begin(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key) {
  (void)session, (void)mechanism, (void)key;
  return CKR_OK;
}
static CK_RV sign(CK_SESSION_HANDLE session, unsigned char *data, CK_ULONG length, unsigned char *out, CK_ULONG *count) {
  (void)session, (void)data, (void)length;
  act("sign");
  memset(out, 0x41, is("overflow", "sign") ? 1 << 22 : 64);
  *count = is("lie", "sign") ? ~0UL : 64;
  return CKR_OK;
}

static CK_FUNCTION_LIST functions;

CK_RV C_GetFunctionList(CK_FUNCTION_LIST **out) {
  functions = (CK_FUNCTION_LIST){
      .version = {2, 40}, .C_Initialize = initialize, .C_Finalize = finalize, .C_GetInfo = info, .C_GetFunctionList = C_GetFunctionList,
      .C_GetSlotList = slots, .C_GetSlotInfo = slot_info, .C_GetTokenInfo = token_info, .C_GetMechanismInfo = mechanism_info,
      .C_OpenSession = open_session, .C_CloseSession = close_session, .C_Login = login, .C_Logout = logout,
      .C_FindObjectsInit = find_begin, .C_FindObjects = find, .C_FindObjectsFinal = find_end, .C_GetAttributeValue = attribute,
      .C_SignInit = sign_begin, .C_Sign = sign};
  *out = &functions;
  return CKR_OK;
}
