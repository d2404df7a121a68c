import COpenSSL
import CWebSockets
import Encodings
import Platform

extension CloseReason {
  /// The reason of a failed connect. libwebsockets reports text without a code; OpenSSL knows what is wrong with the certificate.
  static func connectFault(_ wsi: OpaquePointer, _ words: UnsafeRawBufferPointer) -> CloseReason {
    let words = String(decoding: words.prefix { $0 != 0 }, as: UTF8.self)
    let status = Int(lws_http_client_http_response(wsi))
    if words.includes("SSL") || words.includes("ssl") || words.includes("tls") { return .tls(certificateFault(wsi)) }
    if words.hasPrefix("HS:") || words.includes("read failed") || status != 0 {
      return .handshakeRefused(status: status == 101 ? 0 : status)
    }
    return words.includes("imed out") || words.includes("timeout") ? .timedOut : .refused
  }

  /// OpenSSL's first fault: the chain is looked at before the name, and the name before the dates.
  private static func certificateFault(_ wsi: OpaquePointer) -> TLSFault {
    guard let tls = lws_get_ssl(wsi) else { return .handshake }
    switch Int32(truncatingIfNeeded: SSL_get_verify_result(tls)) {
    case X509_V_OK: return .handshake
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: return .wrongHost
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: return .selfSigned
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      return .unknownIssuer
    case X509_V_ERR_CERT_HAS_EXPIRED: return .expired
    case X509_V_ERR_CERT_NOT_YET_VALID: return .notYetValid
    default: return .untrusted
    }
  }
}
