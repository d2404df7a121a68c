import APNs
import Ciphers
import CommandLine
import Encodings
import Platform
import PushProxy
import SecretMemory
import Sockets
import TerminalUI
import WebPush

/// What the operator chose, checked.
struct PushOptions {
  /// The usual place, where no other program of ours listens.
  static let usualPlace = "127.0.0.1:8087"

  let settings: ProxyService.Settings
  let storage: PushStorage
  /// Where it listens, as it was given.
  let listen: String
  let isJSON: Bool
  /// Why the key for Apple's service cannot be used. Only for a trial: otherwise it is thrown.
  let appleFault: CommandError?

  /// - Parameter isTrial: whether `appleFault` takes what is wrong with the file of Apple's key.
  init(_ given: Invocation, isTrial: Bool = false) throws(CommandError) {
    let listen = given.value("listen") ?? Self.usualPlace
    (self.listen, isJSON) = (listen, given.has("json"))
    var listening = Listener.Options(try Self.place(listen))
    listening.proxies = try Self.proxies(given.values("trusted-proxy"))
    let base = try Self.base(given.value("public-url"))
    var server = ProxyServer.Settings(base: base)
    server.publicRelay = try given.value("public-relay").map { url throws(CommandError) in
      try Self.relay(url, "public-relay").text
    }
    (server.allowsInside, server.servesMetrics) = (given.has("allow-private"), !given.has("no-metrics"))
    var settings = ProxyService.Settings(
      listening: listening, server: server, relays: try Self.relays(given.values("relay")),
      contact: try Self.contact(given.value("contact"), base))
    appleFault = isTrial ? Self.faultOfKey(given) : nil
    settings.apple = appleFault == nil ? try Self.apple(given) : nil
    settings.web = try Self.web(given)
    settings.threads = try Self.threads(given)
    self.settings = settings
    storage = try PushStorage(given)
  }

  // MARK: the parts

  private static func place(_ text: String) throws(CommandError) -> Listener.Options.Place {
    guard let place = Listener.Options.Place(hostAndPort: text) else {
      throw wrong("listen", "HOST:PORT, for example \(usualPlace) or [::1]:8087")
    }
    return place
  }

  private static func proxies(_ texts: [String]) throws(CommandError) -> [AddressRange] {
    try texts.map { text throws(CommandError) in
      guard let range = AddressRange(parsing: text) else {
        guard !isSeveral(text) else { throw several("trusted-proxy") }
        throw wrong("trusted-proxy", "an IP address, or a range such as 10.0.0.0/8")
      }
      return range
    }
  }

  /// Apps sign the address, so it must be what they use: without a path, and without a slash at the end.
  private static func base(_ text: String?) throws(CommandError) -> String {
    guard let text else {
      throw CommandError(
        .usage, "--public-url is missing: the address that apps use, which they sign.",
        hint: "For example: --public-url https://push.example, or on this machine http://\(usualPlace)")
    }
    let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
    let form = "https://HOST or https://HOST:PORT, without a path"
    let rest = ["https://", "http://"].first { trimmed.hasPrefix($0) }.map { trimmed.dropFirst($0.count) }
    guard let rest, !rest.isEmpty, rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      !rest.contains(where: { "/?#@\\".contains($0) })
    else { throw wrong("public-url", form) }
    // What a signer sends would be read on the way, and signers refuse such an address.
    guard trimmed.hasPrefix("https://") || isThisMachine(rest) else {
      throw wrong("public-url", "\(form); http:// is for this machine only, as http://\(usualPlace)")
    }
    return trimmed
  }

  /// Whether the host of an address is this machine by a name or number that nobody is asked for.
  private static func isThisMachine(_ address: Substring) -> Bool {
    let isBracketed = address.hasPrefix("[")
    let host = isBracketed ? address.prefix { $0 != "]" }.dropFirst() : address.prefix { $0 != ":" }
    return ["127.0.0.1", "::1", "localhost"].contains(String(host))
  }

  private static func relays(_ texts: [String]) throws(CommandError) -> Set<WebSocketURL> {
    guard !texts.isEmpty else {
      throw CommandError(
        .usage, "No relay is named.", hint: "Name those where apps send their requests: --relay wss://relay.example")
    }
    guard texts.count <= RequestWatcher.Options.mostOwnRelays else {
      throw CommandError(.usage, "--relay can be given at most \(RequestWatcher.Options.mostOwnRelays) times.")
    }
    return Set(try texts.map { url throws(CommandError) in try relay(url) })
  }

  private static func relay(_ text: String, _ option: String = "relay") throws(CommandError) -> WebSocketURL {
    guard let url = try? WebSocketURL(parsing: text) else {
      guard !isSeveral(text) else { throw several(option) }
      throw wrong(option, "an address that begins with ws:// or wss://")
    }
    return url
  }

  private static func contact(_ text: String?, _ base: String) throws(CommandError) -> String {
    let contact = text ?? base
    guard contact.hasPrefix("mailto:") || contact.hasPrefix("https://") || text == nil, contact.utf8.count <= 255 else {
      throw wrong("contact", "mailto:you@example.com or an address that begins with https://")
    }
    return contact
  }

  private static func threads(_ given: Invocation) throws(CommandError) -> Int {
    do throws(UsageError) { return Int(try given.integer("threads", in: 1...64) ?? 1) } catch {
      throw CommandError(error, for: PushProgram.name, command: [])
    }
  }

  private static func web(_ given: Invocation) throws(CommandError) -> PushSender.Options {
    var web = PushSender.Options()
    let own = OwnNetworks.now()
    web.allowsPrivateAddresses = given.has("allow-private")
    web.isOwn = { own.contains($0) }
    web.certificates = try certificates(given, "push-ca")
    return web
  }

  /// The path of a file of certificates. libcurl opens it only when it connects, and says nothing that helps.
  private static func certificates(_ given: Invocation, _ option: String) throws(CommandError) -> String? {
    guard let path = given.value(option) else { return nil }
    let shown = printable(path, limit: 300)
    guard access(path, R_OK) == 0 else {
      throw CommandError(
        ExitCode(file: errno), "\(shown) could not be read: \(systemMessage(errno)).",
        hint: "Name a file of certificates with --\(option) that the proxy's user may read.")
    }
    guard TrustedAuthorities.areIn(file: path) else {
      throw CommandError(
        .failed, "\(shown) has no certificate that can be read.",
        hint: "--\(option) takes a PEM file, in which each certificate begins with -----BEGIN CERTIFICATE-----.")
    }
    return path
  }

  // MARK: Apple

  private static let ofApple = ["apns-key", "apns-key-id", "apns-team-id", "apns-topic"]

  private static func apple(_ given: Invocation) throws(CommandError) -> WakeSender.Apple? {
    guard let path = given.value("apns-key"), let id = given.value("apns-key-id"), let team = given.value("apns-team-id"),
      let topic = given.value("apns-topic")
    else {
      guard let one = (ofApple + ["apns-host", "apns-ca"]).first(where: given.has) else { return nil }
      let missing = ofApple.filter { !given.has($0) }.map { "--" + $0 }.joined(separator: ", ")
      throw CommandError(.usage, "--\(one) needs all that Apple's service asks for. Missing: \(missing).")
    }
    guard var service = try? APNsMessage.Service(topic: topic) else {
      throw wrong("apns-topic", "a bundle id such as com.example.app")
    }
    service.host =
      try given.value("apns-host").map { text throws(CommandError) in
        guard case .tcp(let host, let port) = try place(text) else { return text }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
      } ?? service.host
    service.certificates = try certificates(given, "apns-ca")
    let key = try key(path)
    guard let token = try? ProviderToken(key, keyID: id, teamID: team) else {
      throw CommandError(.usage, "--apns-key-id and --apns-team-id take the ten letters and digits of Apple's developer account.")
    }
    return WakeSender.Apple(service, token: token)
  }

  private static func faultOfKey(_ given: Invocation) -> CommandError? {
    guard let path = given.value("apns-key") else { return nil }
    do throws(CommandError) { _ = try key(path) } catch { return error }
    return nil
  }

  private static func key(_ path: String) throws(CommandError) -> P256.PrivateKey {
    let file: SecretBytes
    do throws(SecretInputError) { file = try SecretInput.read(file: path, limit: P256.PrivateKey.maximumPEMLength) } catch {
      throw CommandError(error, what: "Apple's key")
    }
    do { return try P256.PrivateKey(pem: file) } catch {
      throw CommandError(
        .usage, "\(printable(path, limit: 300)) has no private key for Apple's service.",
        hint: "Give the .p8 file as Apple's developer account hands it out.")
    }
  }

  // MARK: errors

  private static func isSeveral(_ text: String) -> Bool { text.contains { ", ;".contains($0) } }

  private static func several(_ option: String) -> CommandError {
    CommandError(
      .usage, "--\(option) takes one address, and this has a comma, a semicolon or a space in it.",
      hint: "Give --\(option) once for each, and in the file one line for each. In "
        + "HOLDFAST_PUSH_\(option.uppercased().replacing(text: "-", by: "_")), separate several with spaces.")
  }

  static func wrong(_ option: String, _ form: String) -> CommandError {
    CommandError(.valueMalformed(option: option, form: form), for: PushProgram.name, command: [])
  }
}
