import Sockets

/// The headers of every response of the console.
enum SecurityHeaders {
  /// Allows only our own scripts, styles and images, no frames, no forms to other sites, and no other address.
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
    // The camera reads a link's QR code; passkeys need their own permission.
    HTTPHeader(
      "permissions-policy",
      "camera=(self), publickey-credentials-get=(self), publickey-credentials-create=(self), clipboard-write=(self), "
        + "microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=()"),
  ]

  /// - Parameter isSecure: whether the browser connected with TLS.
  static func all(isSecure: Bool) -> [HTTPHeader] {
    always + (isSecure ? [HTTPHeader("strict-transport-security", "max-age=31536000")] : [])
  }
}
