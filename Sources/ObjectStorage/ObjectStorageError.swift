package import HTTPClient
import Platform

/// Why a file could not be brought to a place, or fetched from there. No case carries an address, a name or what was answered.
package enum ObjectStorageError: Error, Sendable {
  /// No whole answer came.
  case http(HTTPClientError)
  /// The answer is not what the protocol says.
  case answerMalformed
  /// It points elsewhere; that is not followed.
  case redirected
  /// User or password, or the key and its secret, are not right, or may not do this.
  case notAuthorized
  /// The server's clock and ours differ too much for it.
  case clocksDiffer
  /// There is no such file, folder or bucket.
  case notFound
  /// There is a file of that name.
  case exists
  /// No room is left there.
  case full
  /// Longer than one upload may be, in bytes.
  case tooLarge(limit: UInt64)
  /// What was read back is not what was brought there.
  case notKept
  /// The server said no. The status, and its own code for it, of letters and digits only.
  case refused(status: Int, code: String)
  /// What was asked to stop has stopped.
  case cancelled
  /// A system call failed at the named step. `code` is errno.
  case io(StaticString, code: Int32)
  /// The request could not be made.
  case notPrepared
}

extension ObjectStorageError: Equatable {
  /// `StaticString` has no equality of its own; no case holds anything whose text would be ambiguous.
  package static func == (left: ObjectStorageError, right: ObjectStorageError) -> Bool { "\(left)" == "\(right)" }
}

extension ObjectStorageError {
  /// What went wrong, for the owner: begins small and has no full stop.
  package var text: String {
    switch self {
    case .http(let error): error.text
    case .answerMalformed: "its answer could not be read"
    case .redirected: "it points to another address"
    case .notAuthorized: "it does not take the credentials, or they may not do this"
    case .clocksDiffer: "its clock and this machine's differ too much"
    case .notFound: "there is no such place or file"
    case .exists: "there is a file of that name"
    case .full: "it has no room left"
    case .tooLarge(let limit): "the file is longer than \(limit) bytes"
    case .notKept: "it does not keep what it is given"
    case .refused(let status, let code): "it said no (\(status)\(code.isEmpty ? "" : ", \(code)"))"
    case .cancelled: "it was stopped"
    case .io(let step, let code): "\(step) failed (\(String(cString: strerror(code))))"
    case .notPrepared: "the call could not be made"
    }
  }
}
