import CToken
import Platform
public import Vault

/// Identifies a token: a `pkcs11:` URI (RFC 7512), read and written by p11-kit.
///
/// A PIN in it is refused, and so is a reference to a PIN, because every process can see another's arguments.
public struct TokenURI: Sendable, Equatable, CustomStringConvertible {
  /// The longest text that is read, in bytes.
  public static let maximumLength = 400

  /// As given, or as `init(of:)` wrote it.
  public let description: String

  /// - Parameter text: for example `pkcs11:token=My%20Key`.
  /// - Throws: `.corrupt` for anything that is not such a URI or contains a PIN, `.notPresent` without p11-kit.
  public init(_ text: String) throws(KeyStoreError) {
    guard text.utf8.count <= Self.maximumLength, !text.utf8.contains(0) else { throw .corrupt("the token's URI: too long") }
    description = text
    try withParsed { library, uri throws(KeyStoreError) in
      let functions = library.functions
      guard functions.uri_get_pin_value(uri) == nil, functions.uri_get_pin_source(uri) == nil else {
        throw KeyStoreError.corrupt("the token's URI: a PIN does not belong in it")
      }
      guard functions.uri_get_module_path(uri) == nil else {
        throw KeyStoreError.corrupt("the token's URI: name the module beside it, not in it")
      }
      guard functions.uri_any_unrecognized(uri) == 0 else { throw KeyStoreError.corrupt("the token's URI: an unknown part") }
    }
  }

  /// The URI of one token: label, maker, model and serial number.
  init(of token: CK_TOKEN_INFO) throws(KeyStoreError) {
    guard let library = TokenLibrary.shared else { throw .notPresent("p11-kit") }
    guard let uri = library.functions.uri_new() else { throw .deviceFailed("memory", code: 0) }
    defer { library.functions.uri_free(uri) }
    library.functions.uri_get_token_info(uri)?.pointee = token
    var text: UnsafeMutablePointer<CChar>?
    guard library.functions.uri_format(uri, Int32(HOLDFAST_URI_FOR_TOKEN), &text) == 0, let text else {
      throw .corrupt("the token's name")
    }
    defer { free(text) }
    description = String(cString: text)
    guard description.utf8.count <= Self.maximumLength else { throw .corrupt("the token's name: too long") }
  }

  /// The token's name for people: printable ASCII, otherwise as in the URI.
  public var name: String {
    let attributes = description.dropFirst("pkcs11:".count).utf8.split { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "?") }
    let prefix = Array("token=".utf8)
    guard let value = attributes.first(where: { $0.starts(with: prefix) })?.dropFirst(prefix.count), !value.isEmpty else {
      return description
    }
    return Self.decoded(Array(value)) ?? String(decoding: value, as: UTF8.self)
  }

  /// Percent-decoded. Nil when that is not all printable ASCII.
  private static func decoded(_ bytes: [UInt8]) -> String? {
    var (plain, index) = ([UInt8](), 0)
    while index < bytes.count {
      var byte = bytes[index]
      if byte == UInt8(ascii: "%") {
        guard index + 2 < bytes.count,
          let code = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
        else { return nil }
        (byte, index) = (code, index + 2)
      }
      guard (0x20...0x7E).contains(byte) else { return nil }
      plain.append(byte)
      index += 1
    }
    return String(decoding: plain, as: UTF8.self)
  }

  /// Whether this URI matches the token.
  func fits(_ token: CK_TOKEN_INFO) throws(KeyStoreError) -> Bool {
    try withParsed { library, uri throws(KeyStoreError) in
      var token = token
      return library.functions.uri_match_token_info(uri, &token) != 0
    }
  }

  /// Whether this URI matches a token that has exactly the other URI.
  func covers(_ other: TokenURI) throws(KeyStoreError) -> Bool {
    try other.withParsed { library, uri throws(KeyStoreError) in
      guard let token = library.functions.uri_get_token_info(uri) else { return false }
      return try fits(token.pointee)
    }
  }

  private func withParsed<R>(
    _ body: (TokenLibrary, OpaquePointer) throws(KeyStoreError) -> R
  ) throws(KeyStoreError) -> R {
    guard let library = TokenLibrary.shared else { throw .notPresent("p11-kit") }
    guard let uri = library.functions.uri_new() else { throw .deviceFailed("memory", code: 0) }
    defer { library.functions.uri_free(uri) }
    guard library.functions.uri_parse(description, Int32(HOLDFAST_URI_FOR_ANY), uri) == 0 else {
      throw .corrupt("the token's URI")
    }
    return try body(library, uri)
  }
}
