package import HTTPClient
import Platform

/// Why a file could not be stored or fetched. No case contains an address, a name or a server's answer.
package enum ObjectStorageError: Error, Sendable {
  /// There was no complete response.
  case http(HTTPClientError)
  /// The response does not follow the protocol.
  case answerMalformed
  /// The response redirects elsewhere, which is not followed.
  case redirected
  /// The user or password, or the key or its secret, is wrong or lacks permission.
  case notAuthorized
  /// The server refuses because its clock and ours differ too much.
  case clocksDiffer
  /// There is no such file, folder or bucket.
  case notFound
  /// A file of that name exists already.
  case exists
  /// No space is left there.
  case full
  /// The file is longer than one upload may be. `limit` is in bytes.
  case tooLarge(limit: UInt64)
  /// What was read back differs from what was stored.
  case notKept
  /// The server refused. The status, and the server's own code, which has letters and digits only.
  case refused(status: Int, code: String)
  /// The transfer was cancelled.
  case cancelled
  /// A system call failed at the named step. `code` is errno.
  case io(StaticString, code: Int32)
  /// The request could not be made.
  case notPrepared
}

extension ObjectStorageError: Equatable {
  /// `StaticString` is not `Equatable`. No case holds anything whose text would be ambiguous.
  package static func == (left: ObjectStorageError, right: ObjectStorageError) -> Bool { "\(left)" == "\(right)" }
}

extension ObjectStorageError {
  /// The error for the owner: begins with a small letter and has no full stop.
  package var text: String {
    switch self {
    case .http(let error): error.text
    case .answerMalformed: "its answer could not be read"
    case .redirected: "it redirects to another address"
    case .notAuthorized: "it refused the credentials, or they do not allow this"
    case .clocksDiffer: "its clock and this machine's differ too much"
    case .notFound: "there is no such place or file"
    case .exists: "there is a file of that name"
    case .full: "it has no space left"
    case .tooLarge(let limit): "the file is longer than \(limit) bytes"
    case .notKept: "it did not keep the file"
    case .refused(let status, let code): code.isEmpty ? "it refused (\(status))" : "it refused (\(status), \(code))"
    case .cancelled: "it was stopped"
    case .io(let step, let code): "\(step) failed (\(String(cString: strerror(code))))"
    case .notPrepared: "the call could not be made"
    }
  }
}
