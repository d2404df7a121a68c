import Ciphers
import Encodings
import SecretMemory

/// Signature Version 4 of Amazon Web Services, for S3 ("Authenticating Requests: Using the Authorization Header").
///
/// libcurl can sign, too (`CURLOPT_AWS_SIGV4`), but it copies the secret to the heap and does not order the query as some stores
/// expect.
struct S3Signature {
  let keyID: String
  let secret: SecretBox
  let region: String
  /// Seconds since 1970.
  let now: Int64

  /// The request to sign.
  struct Request {
    let method: String
    /// Percent-encoded once.
    let path: String
    /// Names and values, not encoded.
    var query: [(String, String)] = []
    /// Lower-case names.
    var headers: [(String, String)]
    /// SHA-256 of the body, 64 hex digits.
    let bodyDigest: String

    /// As in the URL: encoded, in the order that is signed.
    var queryText: String {
      query.map { (Percent.encoded($0.0), Percent.encoded($0.1)) }.sorted { $0 < $1 }
        .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }
  }

  /// The value of the `x-amz-date` header.
  var date: String { ISOTime.basic(now) }

  /// The value of the `Authorization` header. The headers must contain `host`, `x-amz-date` and `x-amz-content-sha256`.
  func authorization(for request: Request) throws(ObjectStorageError) -> String {
    let headers = request.headers.sorted { $0.0 < $1.0 }
    let names = headers.map(\.0).joined(separator: ";")
    let canonical = [
      request.method, request.path, request.queryText, headers.map { "\($0.0):\($0.1)\n" }.joined(), names, request.bodyDigest,
    ].joined(separator: "\n")
    let scope = "\(date.prefix(8))/\(region)/s3/aws4_request"
    let text = ["AWS4-HMAC-SHA256", date, scope, SHA256.digest(of: Array(canonical.utf8)).hex].joined(separator: "\n")
    let signature = try signature(of: text)
    return "AWS4-HMAC-SHA256 Credential=\(keyID)/\(scope),SignedHeaders=\(names),Signature=\(signature)"
  }

  /// The secret stays in guarded memory, and so does the derived key, which is valid for one day.
  private func signature(of text: String) throws(ObjectStorageError) -> String {
    do {
      let first = try SecretBytes(count: 4 + secret.count) { (target) throws(Never) in
        UnsafeMutableRawBufferPointer(rebasing: target[..<4]).copyBytes(from: "AWS4".utf8)
        secret.withBytes { UnsafeMutableRawBufferPointer(rebasing: target[4...]).copyMemory(from: $0) }
      }
      var key = try Self.code(first, String(date.prefix(8)))
      for part in [region, "s3", "aws4_request"] { key = try Self.code(key, part) }
      return key.withBytes { key in Array(text.utf8).withUnsafeBytes { HMACSHA256.code(key: key, $0) } }.hex
    } catch { throw .notPrepared }
  }

  private static func code(_ key: borrowing SecretBytes, _ text: String) throws -> SecretBytes {
    try SecretBytes(count: 32) { (target) throws(Never) in
      key.withBytes { key in
        var hmac = HMACSHA256(key: key)
        Array(text.utf8).withUnsafeBytes { hmac.update($0) }
        hmac.finish(into: target)
      }
    }
  }
}
