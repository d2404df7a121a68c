import COpenSSL

/// The authorities that a client trusts: the system's, or those in one PEM file.
public enum TrustedAuthorities: Hashable, Sendable {
  /// The hashed folder `/etc/ssl/certs`. Only an authority that is needed is read, when it is needed.
  case system
  /// Only the certificates in this PEM file.
  case file(String)

  /// Whether a PEM file has a certificate that OpenSSL can read.
  package static func areIn(file path: String) -> Bool {
    guard let store = X509_STORE_new() else { return false }
    defer { X509_STORE_free(store) }
    defer { ERR_clear_error() }
    return X509_STORE_load_file(store, path) == 1
  }
}
