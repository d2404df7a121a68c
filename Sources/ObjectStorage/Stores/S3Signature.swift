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

/// Times in the form `20130524T000000Z`.
package enum ISOTime {
  /// - Parameter seconds: since 1970.
  package static func basic(_ seconds: Int64) -> String {
    let (date, time) = parts(max(0, seconds))
    return digits(date.year, 4) + digits(date.month, 2) + digits(date.day, 2) + "T" + digits(time / 3600, 2)
      + digits(time / 60 % 60, 2) + digits(time % 60, 2) + "Z"
  }

  /// - Returns: seconds since 1970; nil for text that `basic` does not write.
  package static func seconds(_ text: [UInt8]) -> Int64? {
    guard text.count == 16, text[8] == UInt8(ascii: "T"), text[15] == UInt8(ascii: "Z") else { return nil }
    func number(_ range: Range<Int>) -> Int64? {
      let digits = text[range]
      return digits.allSatisfy({ (0x30...0x39).contains($0) }) ? digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) } : nil
    }
    guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8), let hour = number(9..<11),
      let minute = number(11..<13), let second = number(13..<15), (1...12).contains(month)
    else { return nil }
    let shifted = month > 2 ? year : year - 1
    let era = max(0, shifted) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second
    return basic(seconds) == String(decoding: text, as: UTF8.self) ? seconds : nil
  }

  /// The civil date of a day (Howard Hinnant, "chrono-compatible low-level date algorithms").
  private static func parts(_ seconds: Int64) -> (date: (year: Int64, month: Int64, day: Int64), time: Int64) {
    let shifted = seconds / 86_400 + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let civil = month < 10 ? month + 3 : month - 9
    return ((yearOfEra + era * 400 + (civil <= 2 ? 1 : 0), civil, day), seconds % 86_400)
  }

  private static func digits(_ value: Int64, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
