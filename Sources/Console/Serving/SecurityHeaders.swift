internal import Sockets

/// The headers that every answer of the console carries.
enum SecurityHeaders {
  /// Nothing but our own scripts, styles and pictures; no frame, no form that leaves, no address but ours.
  static let contentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; "
    + "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  private static let always = [
    HTTPHeader("content-security-policy", contentSecurityPolicy),
    HTTPHeader("x-content-type-options", "nosniff"),
    HTTPHeader("x-frame-options", "DENY"),
    HTTPHeader("referrer-policy", "no-referrer"),
    HTTPHeader("cross-origin-opener-policy", "same-origin"),
    HTTPHeader("cross-origin-resource-policy", "same-origin"),
    HTTPHeader("cross-origin-embedder-policy", "require-corp"),
    // The camera reads a link's QR code; passkeys need theirs.
    HTTPHeader(
      "permissions-policy",
      "camera=(self), publickey-credentials-get=(self), publickey-credentials-create=(self), clipboard-write=(self), "
        + "microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=()"),
  ]

  /// - Parameter isSecure: whether the browser came by TLS.
  static func all(isSecure: Bool) -> [HTTPHeader] {
    always + (isSecure ? [HTTPHeader("strict-transport-security", "max-age=31536000")] : [])
  }
}
