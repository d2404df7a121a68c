#pragma once
// p11-kit, loaded when a token is asked for: linked, it would cost every start. The types are the headers', the functions are looked
// up by name. Its own headers want a folder on the search path that only pkg-config knows, and with it the library.
#if __has_include(<p11-kit-1/p11-kit/pkcs11.h>)
#include <p11-kit-1/p11-kit/pkcs11.h>
#else
#include <p11-kit/pkcs11.h>
#endif
#include <dlfcn.h>
#include <stdint.h>

typedef struct p11_kit_uri holdfast_token_uri;

struct holdfast_p11 {
  CK_FUNCTION_LIST *(*module_load)(const char *, int);
  CK_RV (*module_initialize)(CK_FUNCTION_LIST *);
  CK_RV (*module_finalize)(CK_FUNCTION_LIST *);
  void (*module_release)(CK_FUNCTION_LIST *);
  char *(*module_get_filename)(CK_FUNCTION_LIST *);
  CK_FUNCTION_LIST **(*modules_load_and_initialize)(int);
  void (*modules_finalize_and_release)(CK_FUNCTION_LIST **);
  holdfast_token_uri *(*uri_new)(void);
  void (*uri_free)(holdfast_token_uri *);
  int (*uri_parse)(const char *, int, holdfast_token_uri *);
  int (*uri_format)(holdfast_token_uri *, int, char **);
  int (*uri_match_token_info)(const holdfast_token_uri *, CK_TOKEN_INFO *);
  CK_TOKEN_INFO *(*uri_get_token_info)(holdfast_token_uri *);
  const char *(*uri_get_pin_value)(const holdfast_token_uri *);
  const char *(*uri_get_pin_source)(const holdfast_token_uri *);
  const char *(*uri_get_module_path)(const holdfast_token_uri *);
  int (*uri_any_unrecognized)(holdfast_token_uri *);
};

// P11_KIT_URI_FOR_TOKEN and P11_KIT_URI_FOR_ANY of a header that cannot be included.
enum { HOLDFAST_URI_FOR_TOKEN = 1 << 2, HOLDFAST_URI_FOR_ANY = 0xFFFF };

// 1 when every function was found. The library stays loaded for the rest of the process.
static inline int holdfast_p11_load(struct holdfast_p11 *p11) {
  static const char *const names[] = {"libp11-kit.so.0", "libp11-kit.0.dylib"};
  void *library = 0;
  for (int i = 0; i < 2 && !library; i++) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
#define HOLDFAST_FIND(name) (*(void **)&p11->name = dlsym(library, "p11_kit_" #name))
  return HOLDFAST_FIND(module_load) && HOLDFAST_FIND(module_initialize) && HOLDFAST_FIND(module_finalize) &&
         HOLDFAST_FIND(module_release) && HOLDFAST_FIND(module_get_filename) && HOLDFAST_FIND(modules_load_and_initialize) &&
         HOLDFAST_FIND(modules_finalize_and_release) && HOLDFAST_FIND(uri_new) && HOLDFAST_FIND(uri_free) &&
         HOLDFAST_FIND(uri_parse) && HOLDFAST_FIND(uri_format) && HOLDFAST_FIND(uri_match_token_info) &&
         HOLDFAST_FIND(uri_get_token_info) && HOLDFAST_FIND(uri_get_pin_value) && HOLDFAST_FIND(uri_get_pin_source) &&
         HOLDFAST_FIND(uri_get_module_path) && HOLDFAST_FIND(uri_any_unrecognized);
#undef HOLDFAST_FIND
}

// Here and not in Swift: the mechanism points to parameters that point to further bytes, for the length of two calls.
/// RSA-OAEP with SHA-256 and MGF1-SHA-256, no label.
static inline CK_RV holdfast_token_oaep(
    CK_FUNCTION_LIST *module, CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key, unsigned char *wrapped, CK_ULONG wrapped_length,
    unsigned char *out, CK_ULONG *out_length) {
  CK_RSA_PKCS_OAEP_PARAMS parameters = {CKM_SHA256, CKG_MGF1_SHA256, CKZ_DATA_SPECIFIED, 0, 0};
  CK_MECHANISM mechanism = {CKM_RSA_PKCS_OAEP, &parameters, sizeof parameters};
  CK_RV status = module->C_DecryptInit(session, &mechanism, key);
  return status ? status : module->C_Decrypt(session, wrapped, wrapped_length, out, out_length);
}

/// ECDH without a derivation of its own: the x coordinate, as an object of the session that can be read.
static inline CK_RV holdfast_token_ecdh(
    CK_FUNCTION_LIST *module, CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key, unsigned char *point, CK_ULONG point_length,
    CK_OBJECT_HANDLE *shared) {
  CK_ECDH1_DERIVE_PARAMS parameters = {CKD_NULL, 0, 0, point_length, point};
  CK_MECHANISM mechanism = {CKM_ECDH1_DERIVE, &parameters, sizeof parameters};
  CK_OBJECT_CLASS class = CKO_SECRET_KEY;
  CK_KEY_TYPE type = CKK_GENERIC_SECRET;
  CK_BBOOL yes = CK_TRUE, no = CK_FALSE;
  CK_ULONG length = 32;
  CK_ATTRIBUTE template[] = {
      {CKA_CLASS, &class, sizeof class}, {CKA_KEY_TYPE, &type, sizeof type},     {CKA_TOKEN, &no, sizeof no},
      {CKA_SENSITIVE, &no, sizeof no},   {CKA_EXTRACTABLE, &yes, sizeof yes},    {CKA_VALUE_LEN, &length, sizeof length},
  };
  return module->C_DeriveKey(session, &mechanism, key, template, 6, shared);
}
