import CWebSockets
import Glibc

extension CloseReason {
  /// What libwebsockets' words for a failed connect mean; it gives no code.
  static func connectFault(_ words: UnsafeRawBufferPointer, httpStatus: Int) -> CloseReason {
    let words = String(decoding: words.prefix { $0 != 0 }, as: UTF8.self)
    if words.contains("hostname mismatch") || words.contains("IP address mismatch") { return .tls(.wrongHost) }
    if words.contains("expired") || words.contains("not yet valid") { return .tls(.expired) }
    if words.contains("cert") || words.contains("CA is not") { return .tls(.untrusted) }
    if words.contains("SSL") || words.contains("ssl") || words.contains("tls") { return .tls(.handshake) }
    if words.hasPrefix("HS:") || httpStatus != 0 { return .handshakeRefused(status: httpStatus == 101 ? 0 : httpStatus) }
    if words.contains("imed out") || words.contains("timeout") { return .timedOut }
    return .refused
  }
}
