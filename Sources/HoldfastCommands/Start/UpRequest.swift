import CommandLine
import Encodings
import TerminalUI

/// The options of `holdfast up`, read from its command line.
struct UpRequest: Sendable, Equatable {
  /// Whether a new vault is used that is wiped at the end.
  let isTrial: Bool
  /// Nil for the default identity.
  let identity: String?
  /// Relays besides the embedded one.
  let relays: [String]
  /// Whether the embedded relay runs.
  let embeddedRelay: Bool
  /// An address or `localhost`, without brackets; nil for the usual one.
  let host: String?
  /// Nil for the usual port; 0 lets the system choose.
  let port: UInt16?
  /// full, medium or low; nil for the default of the policy.
  let trust: String?
  /// The same for programs on this machine that were not seen before; nil to ask at their first use.
  let localTrust: String?
  /// The address that apps are told to open while a request waits; nil for none.
  let authURL: String?
  /// Whether other machines may read `/metrics`, too.
  let metrics: Bool
  /// Whether a window with the approvals opens when somebody on this machine asks.
  let opensWindow: Bool
  /// Whether an icon is in the desktop's panel.
  let showsTray: Bool
  /// Whether programs may ask over the session bus.
  let dbus: Bool
  /// answer, show or off; nil for the usual mode.
  let desktop: String?
  /// The contact of whoever runs the signer, for push services; nil for none in particular.
  let pushContact: String?
  /// Whether push services may be inside private networks.
  let pushAllowsPrivate: Bool
  /// The certificates that push services are checked against; nil for the system's.
  let pushCertificates: String?
  /// Where a checkpoint of the log is kept and compared; nil for nowhere.
  let checkpoint: String?
  /// Whether nothing is printed while it runs.
  let isQuiet: Bool

  /// The files of the certificate and its key; nil for plain text.
  let tls: TLSPair?
  /// Further names of the console, or whole origins.
  let consoleHosts: [String]

  /// The options as they were given, without those that name the home and the port, and without `--trial`.
  let restartingWords: [String]

  /// Proxies whose `X-Forwarded-For` is trusted.
  let trustedProxies: [String]

  /// The paths of two PEM files.
  struct TLSPair: Sendable, Equatable {
    /// The certificate first, then those up to its authority.
    let certificate: String
    /// The key, not encrypted.
    let key: String

    /// Two paths.
    init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }
  }

  /// - Throws: for values whose form cannot work. Whether a host exists is found out when it is used.
  init(_ invocation: Invocation) throws(UsageError) {
    try RelayOption.check(invocation)
    isTrial = invocation.has("trial")
    if isTrial, invocation.has("home") {
      throw .refused(
        sentence: "A trial has a folder of its own, which is wiped at the end, so --trial does not take --home.",
        hint: "To keep a vault in that folder: holdfast init, then: holdfast up")
    }
    identity = invocation.value("identity")
    relays = invocation.values("relay")
    embeddedRelay = !invocation.has("no-embedded-relay")
    trust = invocation.value("trust")
    localTrust = invocation.value("local-trust")
    if let localTrust, !SharedOptions.trustLevels.contains(localTrust) {
      throw .valueMalformed(option: "local-trust", form: "full, medium or low")
    }
    metrics = invocation.has("metrics")
    authURL = try Self.authURL(invocation)
    opensWindow = invocation.has("consent-window")
    showsTray = invocation.has("tray")
    dbus = !invocation.has("no-dbus")
    desktop = invocation.value("desktop")
    if let desktop, !["answer", "show", "off"].contains(desktop) {
      throw .valueMalformed(option: "desktop", form: "answer, show or off")
    }
    pushContact = try Self.contact(invocation)
    pushAllowsPrivate = invocation.has("push-allow-private")
    pushCertificates = invocation.value("push-ca")
    checkpoint = invocation.value("checkpoint")
    isQuiet = invocation.has("quiet")
    tls = try Self.tls(invocation)
    consoleHosts = invocation.values("console-host")
    trustedProxies = invocation.values("trusted-proxy")
    restartingWords = Self.restartingWords(invocation)
    guard let listen = invocation.value("listen") else {
      (host, port) = (nil, nil)
      return
    }
    guard let colon = listen.utf8.lastIndex(of: UInt8(ascii: ":")),
      let number = TimeSpan.digits(listen.utf8[colon...].dropFirst()),
      let port = UInt16(exactly: number), let host = Self.host(listen[..<colon])
    else { throw .valueMalformed(option: "listen", form: "HOST:PORT, for example 127.0.0.1:24133 or [::1]:0") }
    (self.host, self.port) = (host, port)
  }

  private static func restartingWords(_ invocation: Invocation) -> [String] {
    UpCommand.place.options.filter { !["trial", "listen", "quiet"].contains($0.name) && invocation.has($0.name) }.flatMap {
      option in
      option.takesValue ? invocation.values(option.name).flatMap { ["--\(option.name)", $0] } : ["--\(option.name)"]
    }
  }

  /// The longest address that apps are told, in bytes.
  private static let longestAddress = 512

  private static func authURL(_ invocation: Invocation) throws(UsageError) -> String? {
    guard let text = invocation.value("auth-url") else { return nil }
    let isAddress = ["http://", "https://"].contains { text.utf8.starts(with: $0.utf8) && text.utf8.count > $0.utf8.count }
    guard isAddress, text.utf8.count <= longestAddress, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
      throw .valueMalformed(option: "auth-url", form: "an address that begins with http:// or https://")
    }
    return text
  }

  /// RFC 8292, 2.1: push services refuse any other form.
  private static func contact(_ invocation: Invocation) throws(UsageError) -> String? {
    guard let text = invocation.value("push-contact") else { return nil }
    guard ["mailto:", "https://"].contains(where: { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }),
      text.utf8.count <= 256, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else {
      throw .valueMalformed(option: "push-contact", form: "mailto:you@example.com, or an address that begins with https://")
    }
    return text
  }

  private static func tls(_ invocation: Invocation) throws(UsageError) -> TLSPair? {
    switch (invocation.value("tls-cert"), invocation.value("tls-key")) {
    case (let certificate?, let key?): return TLSPair(certificate: certificate, key: key)
    case (nil, nil): return nil
    case (nil, _): throw .valueMalformed(option: "tls-cert", form: "a file, together with --tls-key")
    case (_, nil): throw .valueMalformed(option: "tls-key", form: "a file, together with --tls-cert")
    }
  }

  /// An IPv6 address in the one way of writing in which the others of this program are: `0::0` is `::`.
  private static func normal(_ address: String) -> String? {
    guard let place = HostAddress.place(Array("[\(address)]".utf8)[...], usualPort: 0) else { return nil }
    return place.hasPrefix("[") ? String(place.dropFirst().dropLast()) : place
  }

  /// The host without the brackets of an IPv6 address. Nil if there is none, or if it has characters that addresses do not have.
  private static func host(_ text: Substring) -> String? {
    let isBracketed = text.hasPrefix("[") && text.hasSuffix("]") && text.utf8.count > 2
    let host = isBracketed ? text.dropFirst().dropLast() : text
    let allowed = isBracketed ? "0123456789abcdefABCDEF:." : "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-"
    guard !host.isEmpty, host.utf8.allSatisfy(Set(allowed.utf8).contains) else { return nil }
    return isBracketed ? Self.normal(String(host)) : String(host)
  }
}
