import CCurl
import Platform

/// Why a request failed. No case contains an address, a name or a server's answer.
package enum HTTPClientError: Error, Sendable, Hashable {
  /// libcurl is not installed, or too old.
  case noLibrary
  /// The host's name has no address.
  case unresolved
  case unreachable
  case timedOut
  /// The connection broke before the end.
  case brokenOff
  /// The TLS connection failed.
  case noTLS
  /// The certificate is not valid for the host name, or not signed by a trusted authority.
  case notTrusted
  /// Plain http is allowed to this machine only, and the address is another machine's.
  case notLoopback
  /// `HTTPRequest.mayConnect` refused each address.
  case addressRefused
  /// The headers or the body exceeded the limit.
  case responseTooLong
  /// This side cancelled the request.
  case cancelled
  /// The file to send could not be opened. `code` is errno.
  case fileNotOpened(code: Int32)
  /// The file to send could not be read, or became shorter. `code` is errno.
  case fileNotRead(code: Int32)
  /// The request could not be made: no memory, or libcurl refuses it.
  case notPrepared
}

extension HTTPClientError {
  init(_ result: CURLcode) {
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST: self = .unresolved
    case CURLE_COULDNT_CONNECT: self = .unreachable
    case CURLE_OPERATION_TIMEDOUT: self = .timedOut
    case CURLE_SSL_CONNECT_ERROR: self = .noTLS
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR: self = .notTrusted
    case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_URL_MALFORMAT: self = .notPrepared
    default: self = .brokenOff
    }
  }

  /// The error for the owner: begins with a small letter and has no full stop.
  package var text: String {
    switch self {
    case .noLibrary: "libcurl is not installed"
    case .unresolved: "its host has no address"
    case .unreachable: "its host cannot be reached"
    case .timedOut: "it did not answer in time"
    case .brokenOff: "the connection broke"
    case .noTLS: "no secure connection could be made"
    case .notTrusted: "its certificate is not valid for its name"
    case .notLoopback: "without https only this machine is talked to"
    case .addressRefused: "its address is inside a private network"
    case .responseTooLong: "its answer had no end"
    case .cancelled: "it was stopped"
    case .fileNotOpened(let code): "opening the file failed (\(String(cString: strerror(code))))"
    case .fileNotRead(let code): "reading the file failed (\(String(cString: strerror(code))))"
    case .notPrepared: "the call could not be made"
    }
  }
}
