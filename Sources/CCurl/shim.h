#pragma once
// libcurl, loaded when something is sent for the first time: linked, it would cost every start some milliseconds and every idle
// signer memory, for what most never use. The types are the header's, the functions are looked up by name.
#include <arpa/inet.h>
#include <curl/curl.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct holdfast_curl {
  CURLcode (*global_init)(long);
  CURL *(*easy_init)(void);
  void (*easy_cleanup)(CURL *);
  CURLcode (*easy_perform)(CURL *);
  CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
  CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
  struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
  void (*slist_free_all)(struct curl_slist *);
  CURLM *(*multi_init)(void);
  CURLMcode (*multi_cleanup)(CURLM *);
  CURLMcode (*multi_add_handle)(CURLM *, CURL *);
  CURLMcode (*multi_remove_handle)(CURLM *, CURL *);
  CURLMcode (*multi_perform)(CURLM *, int *);
  CURLMcode (*multi_poll)(CURLM *, struct curl_waitfd *, unsigned int, int, int *);
  CURLMcode (*multi_wakeup)(CURLM *);
  CURLMcode (*multi_setopt)(CURLM *, CURLMoption, ...);
  CURLMsg *(*multi_info_read)(CURLM *, int *);
};

// 1 when every function was found. The library stays loaded for the rest of the process.
static inline int holdfast_curl_load(struct holdfast_curl *curl) {
  static const char *const names[] = {"libcurl.so.4", "libcurl.4.dylib"};
  void *library = 0;
  for (int i = 0; i < 2 && !library; i++) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
#define HOLDFAST_FIND(name) (*(void **)&curl->name = dlsym(library, "curl_" #name))
  return HOLDFAST_FIND(global_init) && HOLDFAST_FIND(easy_init) && HOLDFAST_FIND(easy_cleanup) && HOLDFAST_FIND(easy_perform) &&
         HOLDFAST_FIND(easy_setopt) && HOLDFAST_FIND(easy_getinfo) && HOLDFAST_FIND(slist_append) && HOLDFAST_FIND(slist_free_all) && HOLDFAST_FIND(multi_init) &&
         HOLDFAST_FIND(multi_cleanup) && HOLDFAST_FIND(multi_add_handle) && HOLDFAST_FIND(multi_remove_handle) &&
         HOLDFAST_FIND(multi_perform) && HOLDFAST_FIND(multi_poll) && HOLDFAST_FIND(multi_wakeup) && HOLDFAST_FIND(multi_setopt) &&
         HOLDFAST_FIND(multi_info_read) &&
         curl->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
#undef HOLDFAST_FIND
}

// One request, with everything it may and may not do in one place. `headers` and `owner` must stay until the handle is gone; libcurl
// copies the strings.
struct holdfast_request {
  const char *url;
  const char *protocols;  // "https", or "http" for this machine
  const char *method;
  long long body_length;  // -1 for none
  struct curl_slist *headers;
  const char *ca_file;  // null for the system's
  const char *user;     // null for none; Basic or Digest, whichever the server wants
  const char *password;
  long connect_milliseconds;
  long stall_seconds;  // how long nothing may move; 0 for no limit
  long total_milliseconds;
  long buffer_bytes;
  long waits_for_connection;  // 1 to share a connection that is being made (HTTP/2), 0 to open another
  long new_connection;        // 1 to use no connection that stands
  void *owner;
  size_t (*on_body)(char *, size_t, size_t, void *);
  size_t (*on_header)(char *, size_t, size_t, void *);
  size_t (*on_read)(char *, size_t, size_t, void *);
  int (*on_seek)(void *, curl_off_t, int);
  int (*on_progress)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
  curl_socket_t (*open_socket)(void *, curlsocktype, struct curl_sockaddr *);
};
#define HOLDFAST_SET(option, value) (failed |= curl->easy_setopt(easy, option, value) != CURLE_OK)
static inline int holdfast_curl_prepare(const struct holdfast_curl *curl, CURL *easy, const struct holdfast_request *request) {
  int failed = 0;
  HOLDFAST_SET(CURLOPT_PROTOCOLS_STR, request->protocols);
  HOLDFAST_SET(CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
  HOLDFAST_SET(CURLOPT_PATH_AS_IS, 1L);
  HOLDFAST_SET(CURLOPT_FOLLOWLOCATION, 0L);
  HOLDFAST_SET(CURLOPT_PROXY, "");  // whatever the environment says
  HOLDFAST_SET(CURLOPT_NOPROXY, "*");
  HOLDFAST_SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
  HOLDFAST_SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  HOLDFAST_SET(CURLOPT_SSL_VERIFYPEER, 1L);
  HOLDFAST_SET(CURLOPT_SSL_VERIFYHOST, 2L);
  if (request->ca_file) HOLDFAST_SET(CURLOPT_CAINFO, request->ca_file);
  HOLDFAST_SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
  HOLDFAST_SET(CURLOPT_PIPEWAIT, request->waits_for_connection);
  HOLDFAST_SET(CURLOPT_FRESH_CONNECT, request->new_connection);
  HOLDFAST_SET(CURLOPT_NOSIGNAL, 1L);
  HOLDFAST_SET(CURLOPT_QUICK_EXIT, 1L);  // a name server that does not answer must not hold up the end
  HOLDFAST_SET(CURLOPT_URL, request->url);
  if (request->body_length >= 0) {
    HOLDFAST_SET(CURLOPT_UPLOAD, 1L);
    HOLDFAST_SET(CURLOPT_INFILESIZE_LARGE, (curl_off_t)request->body_length);
    HOLDFAST_SET(CURLOPT_READDATA, request->owner);
    HOLDFAST_SET(CURLOPT_READFUNCTION, request->on_read);
    HOLDFAST_SET(CURLOPT_SEEKDATA, request->owner);
    HOLDFAST_SET(CURLOPT_SEEKFUNCTION, request->on_seek);
  }
  HOLDFAST_SET(CURLOPT_CUSTOMREQUEST, request->method);
  if (request->user) {
    HOLDFAST_SET(CURLOPT_HTTPAUTH, (long)(CURLAUTH_BASIC | CURLAUTH_DIGEST));
    HOLDFAST_SET(CURLOPT_USERNAME, request->user);
    HOLDFAST_SET(CURLOPT_PASSWORD, request->password);
  }
  HOLDFAST_SET(CURLOPT_CONNECTTIMEOUT_MS, request->connect_milliseconds);
  HOLDFAST_SET(CURLOPT_TIMEOUT_MS, request->total_milliseconds);
  HOLDFAST_SET(CURLOPT_LOW_SPEED_LIMIT, 1L);
  HOLDFAST_SET(CURLOPT_LOW_SPEED_TIME, request->stall_seconds);
  HOLDFAST_SET(CURLOPT_BUFFERSIZE, request->buffer_bytes);
  HOLDFAST_SET(CURLOPT_HTTPHEADER, request->headers);
  HOLDFAST_SET(CURLOPT_WRITEDATA, request->owner);
  HOLDFAST_SET(CURLOPT_WRITEFUNCTION, request->on_body);
  HOLDFAST_SET(CURLOPT_HEADERDATA, request->owner);
  HOLDFAST_SET(CURLOPT_HEADERFUNCTION, request->on_header);
  HOLDFAST_SET(CURLOPT_NOPROGRESS, 0L);
  HOLDFAST_SET(CURLOPT_XFERINFODATA, request->owner);
  HOLDFAST_SET(CURLOPT_XFERINFOFUNCTION, request->on_progress);
  HOLDFAST_SET(CURLOPT_OPENSOCKETDATA, request->owner);
  HOLDFAST_SET(CURLOPT_OPENSOCKETFUNCTION, request->open_socket);
  return !failed;
}
#undef HOLDFAST_SET

// getinfo is variadic.
static inline long holdfast_curl_status(const struct holdfast_curl *curl, CURL *easy) {
  long status = 0;
  return curl->easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}
// How many bytes the answer's body has by its header; -1 when that says nothing.
static inline curl_off_t holdfast_curl_length(const struct holdfast_curl *curl, CURL *easy) {
  curl_off_t length = -1;
  return curl->easy_getinfo(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length) == CURLE_OK ? length : -1;
}
// How many connections the transfer had to open: 0 when it used one that stood.
static inline long holdfast_curl_connects(const struct holdfast_curl *curl, CURL *easy) {
  long count = 0;
  return curl->easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &count) == CURLE_OK ? count : 0;
}
// Seconds, from either form of Retry-After; 0 when the answer had none.
static inline curl_off_t holdfast_curl_retry_after(const struct holdfast_curl *curl, CURL *easy) {
  curl_off_t seconds = 0;
  return curl->easy_getinfo(easy, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK ? seconds : 0;
}

// multi_setopt is variadic.
static inline int holdfast_curl_connections_per_host(const struct holdfast_curl *curl, CURLM *multi, long count) {
  return curl->multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, count) == CURLM_OK;
}

// The next transfer that is over, with its result (a union in a message); null when there is none.
static inline CURL *holdfast_curl_finished(const struct holdfast_curl *curl, CURLM *multi, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl->multi_info_read(multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
  return 0;
}

// The address that is about to be connected to, 16 bytes; IPv4 as ::ffff:a.b.c.d. 0 for any other family.
static inline int holdfast_curl_address(const struct curl_sockaddr *address, unsigned char *out) {
  if (address->family == AF_INET6) {
    memcpy(out, &((const struct sockaddr_in6 *)&address->addr)->sin6_addr, 16);
    return 1;
  }
  if (address->family != AF_INET) return 0;
  memset(out, 0, 10);
  out[10] = out[11] = 0xff;
  memcpy(out + 12, &((const struct sockaddr_in *)&address->addr)->sin_addr, 4);
  return 1;
}
static inline curl_socket_t holdfast_curl_no_socket(void) { return CURL_SOCKET_BAD; }
