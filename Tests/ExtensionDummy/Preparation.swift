import Curve
import Nostr
import NotificationServiceCore
import NotificationServiceSupport
import Platform
import RemoteSigning
import SecretMemory

/// What a wake finds: the folder, and beside its files the key, the push and what the relay has.
enum Preparation {
  static func make(_ path: String, isMuch: Bool) throws {
    let phone = try Phone(path)
    var (app, careful) = (try phone.pair("Coracle"), try phone.pair("Careful", Grant(trust: .low)))
    if isMuch { try fill(phone) }
    try phone.handOver()
    let text = template(content: String(repeating: "y", count: isMuch ? 100 << 10 : 5))
    let request = try app.request(.signEvent, [text], now: phone.now).event
    var others: [Event] = []
    if isMuch { others = try wait(&careful, phone) }
    let lines = ([request] + others).map { RelayMessage.event(subscription: "wake", $0) }
    let ends = ["wake", "wake-recent"].map { RelayMessage.endOfStored(subscription: $0) }
    try write(Array((lines + ends).map { $0.json() }.joined(separator: [0x0a])), path, "relay")
    try write(phone.push(request, isEmbedded: false), path, "push")
    try write(try phone.key.bytes().withBytes { [UInt8]($0) }, path, "key")
  }

  /// A list of 2,000 follows, and 100 paired apps more.
  private static func fill(_ phone: Phone) throws {
    let keys = try (0..<2_000).map { _ in ["p", try KeyPair.random().publicKey.hex] }
    var follows = SignedCoordinate(identity: phone.identity.publicKey, kind: EventKind.follows)
    let list = EventTemplate(createdAt: Phone.start - 90_000, kind: EventKind.follows, tags: keys, content: "")
    _ = follows.add(list, by: phone.identity.publicKey, isApproved: true, now: Phone.start - 90_000)
    phone.state.signed[SignedCoordinate.id(identity: phone.identity.publicKey, kind: EventKind.follows)] = follows
    for index in 0..<100 { _ = try phone.pair("app \(index)") }
  }

  /// Fills the journal with requests that wait, as far as those may.
  /// - Returns: as many more, that the relay has.
  private static func wait(_ app: inout RemoteSigner, _ phone: Phone) throws -> [Event] {
    var others: [Event] = []
    for index in 0..<6 {
      let text = String(repeating: "x", count: 100 << 10) + "\(index)"
      _ = phone.wake(phone.push(try app.request(.signEvent, [template(content: text)], now: phone.now).event))
      let event = try app.request(.signEvent, [template(content: text)], now: phone.now).event
      phone.relays.store(event, at: Phone.relay)
      _ = phone.wake(phone.push(event, isEmbedded: false))
      others.append(try app.request(.signEvent, [template(content: text + "again")], now: phone.now).event)
    }
    return others
  }

  static func write(_ bytes: [UInt8], _ path: String, _ name: String) throws {
    let file = open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(file) }
    guard file >= 0, writeWhole(bytes, to: file) else { throw ExtensionError.io(.state, code: errno) }
  }

  static func bytes(_ path: String, _ name: String) throws -> [UInt8] {
    let file = open(path + "/" + name, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 8 << 10)
    let count = read(file, &bytes, bytes.count)
    guard count > 0 else { throw ExtensionError.io(.state, code: errno) }
    return Array(bytes.prefix(count))
  }

  static func key(_ path: String) throws -> ExtensionKey {
    var bytes = try bytes(path, "key")
    return try ExtensionKey(try SecretBytes(wiping: &bytes))
  }
}
