import Curve
import JSON

extension Registration {
  /// - Returns: nil for bytes that another program, or a newer version, wrote.
  init?(record: [UInt8]) {
    guard let value = try? JSONValue(parsing: record), let signer = value["signer"]?.string.flatMap({ PublicKey(hex: $0) }),
      let client = value["client"]?.string.flatMap({ PublicKey(hex: $0) }),
      let proxy = value["proxy"]?.string.flatMap({ try? ProxyAddress(parsing: $0) }), let token = value["device"],
      let device = try? PushDevice(token), let relays = Self.texts(value["relays"]), let paired = Self.texts(value["paired"]),
      let isWanted = value["wanted"]?.bool, let isAsked = value["asked"]?.bool, let isPairAsked = value["pair_asked"]?.bool,
      let attempts = value["attempts"]?.integer, let next = value["next"]?.integer
    else { return nil }
    self.init(
      AppKey(signer: signer, client: client, relays: relays), at: PushPlan(proxy: proxy, device: device, since: 0), next: next)
    (self.isWanted, self.isAsked, self.isPairAsked, pairedRelays) = (isWanted, isAsked, isPairAsked, paired)
    (since, renewed, error) = (value["since"]?.integer, value["renewed"]?.integer, value["error"]?.string)
    self.attempts = Int(clamping: max(0, attempts))
  }

  /// For the vault.
  var record: [UInt8] {
    func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
    func number(_ value: Int64?) -> JSONValue { value.map { .integer($0) } ?? .null }
    return JSONValue.object([
      .init("signer", .string(signer.hex)), .init("client", .string(client.hex)), .init("proxy", .string(proxy.text)),
      .init("device", device.token), .init("wanted", .bool(isWanted)), .init("relays", texts(relays)),
      .init("since", number(since)), .init("renewed", number(renewed)), .init("paired", texts(pairedRelays)),
      .init("asked", .bool(isAsked)), .init("pair_asked", .bool(isPairAsked)), .init("attempts", .integer(Int64(attempts))),
      .init("next", .integer(next)), .init("error", error.map { .string($0) } ?? .null),
    ]).serialized()
  }

  private static func texts(_ value: JSONValue?) -> [String]? {
    guard let list = value?.array else { return nil }
    let texts = list.compactMap(\.string)
    return texts.count == list.count ? texts : nil
  }
}
