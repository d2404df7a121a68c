import Ciphers
import Encodings
import HTTPClient
package import SecretMemory

/// Backups in a bucket of an S3-compatible store.
package struct S3Store: FileStore {
  /// The longest object of a single upload, in bytes (S3's own limit).
  package static let maximumUpload: UInt64 = 5 << 30
  /// The most pages of a listing, with 1,000 names each.
  static let maximumPages = 20
  private static let emptyDigest = SHA256.digest(of: []).hex

  private let place: S3Place
  private let keyID: String
  private let secret: SecretBox
  private let certificates: String?
  private let clock: @Sendable () -> Int64

  /// - Parameters:
  ///   - keyID: the access key's id.
  ///   - secret: its secret.
  ///   - certificates: a file (PEM) to trust instead of the system's.
  ///   - clock: seconds since 1970.
  package init(
    _ place: S3Place, keyID: String, secret: SecretBox, certificates: String?, clock: @escaping @Sendable () -> Int64
  ) {
    (self.place, self.keyID, self.secret, self.certificates, self.clock) = (place, keyID, secret, certificates, clock)
  }

  package func list(_ control: TransferControl) throws(ObjectStorageError) -> [StoredFile] {
    var files: [StoredFile] = []
    var token: String?
    for _ in 0..<Self.maximumPages {
      let query = [("list-type", "2"), ("prefix", place.prefix)] + (token.map { [("continuation-token", $0)] } ?? [])
      let answer = try call("GET", nil, query: query, control).answer()
      guard answer.status == 200 else { throw Self.error(for: answer) }
      let page = try S3Listing(answer.body, prefix: place.prefix)
      files += page.files
      token = page.next
      if token == nil { break }
    }
    return files
  }

  package func put(_ path: String, as name: String, _ control: TransferControl) throws(ObjectStorageError) {
    let length = try FileStatus.length(of: path)
    guard length <= Self.maximumUpload else { throw .tooLarge(limit: Self.maximumUpload) }
    var call = try call("PUT", name, digest: try FileStatus.digest(of: path), control)
    call.body = .file(path: path, length: length)
    try Self.check(call.answer())
  }

  package func replace(_ name: String, with bytes: [UInt8], _ control: TransferControl) throws(ObjectStorageError) {
    var call = try call("PUT", name, digest: SHA256.digest(of: bytes).hex, control)
    call.body = .bytes(bytes)
    try Self.check(call.answer())
  }

  package func get(
    _ name: String, _ control: TransferControl, _ sink: @escaping (UnsafeRawBufferPointer) -> Bool
  ) throws(ObjectStorageError) {
    var call = try call("GET", name, control)
    call.sink = sink
    try Self.check(call.answer())
  }

  package func delete(_ name: String, _ control: TransferControl) throws(ObjectStorageError) {
    let answer = try call("DELETE", name, control).answer()
    guard answer.status != 404 else { return }
    try Self.check(answer)
  }

  // MARK: calls

  private func call(
    _ method: String, _ name: String?, query: [(String, String)] = [], digest: String = S3Store.emptyDigest,
    _ control: TransferControl
  ) throws(ObjectStorageError) -> HTTPRequest {
    guard name.map(FileName.isAllowed) ?? true else { throw .notPrepared }
    let key = name.map { Percent.encoded(place.prefix + $0, keeping: [UInt8(ascii: "/")]) } ?? ""
    let path = place.endpoint.path + (place.isInPath ? "\(place.bucket)/" : "") + key
    let signature = S3Signature(keyID: keyID, secret: secret, region: place.region, now: clock())
    let headers = [("host", place.endpoint.authority), ("x-amz-content-sha256", digest), ("x-amz-date", signature.date)]
    let request = S3Signature.Request(method: method, path: path, query: query, headers: headers, bodyDigest: digest)
    let authorization = try signature.authorization(for: request)
    var call = HTTPRequest(
      method, place.endpoint.origin + path + (query.isEmpty ? "" : "?" + request.queryText),
      headers: headers.dropFirst().map { "\($0.0): \($0.1)" } + ["Authorization: \(authorization)", HTTPRequest.userAgent])
    call.certificates = certificates
    call.obey(control)
    return call
  }

  private static func check(_ answer: HTTPResponse) throws(ObjectStorageError) {
    guard (200..<300).contains(answer.status) else { throw error(for: answer) }
  }

  private static func error(for answer: HTTPResponse) -> ObjectStorageError {
    let code = S3Listing.errorCode(answer.body)
    switch (answer.status, code) {
    case (_, "RequestTimeTooSkewed"): return .clocksDiffer
    case (300..<400, _): return .redirected
    case (401, _), (403, _): return .notAuthorized
    case (404, _): return .notFound
    case (409, _), (412, _): return .exists
    case (507, _): return .full
    default: return .refused(status: answer.status, code: code)
    }
  }
}
