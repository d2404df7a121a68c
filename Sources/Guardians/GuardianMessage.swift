import Curve
package import Encodings
package import EntrustedShares
import JSON
import Mnemonics
import Nostr

/// What an owner is told of a request for one of her shares.
package struct GuardianNotice: Sendable, Equatable {
  let request: Bytes32
  let kit: String
  /// Who asked.
  let by: PublicKey
  /// When it may be given at the earliest, seconds since 1970.
  let until: Int64
  let note: String
  let standing: ShareRequest.Standing
  /// Whether the guardian agreed: the share is given when the time is over.
  let isAllowed: Bool
}

/// The messages between owners, guardians and those who ask, as the content of a gift-wrapped rumor. Experimental: see
/// docs/GUARDIANS.md.
package enum GuardianMessage: Sendable, Equatable {
  /// Keep this share. `delay` is how long an answer to whoever asks for it must wait, in seconds. `code` marks the owner's own
  /// requests.
  case keep(share: String, delay: Int64, code: RequestCode?)
  /// It is kept.
  case kept(kit: String, group: Int, member: Int)
  /// Give back what you keep of this kit.
  case ask(kit: String, note: String, proof: Bytes32?)
  /// From the owner: from now on, my requests for this kit show this code.
  case code(kit: String, RequestCode)
  /// To the owner: somebody asked, or a request was allowed.
  case asked(GuardianNotice)
  /// To the asker: the waiting time has begun.
  case waiting(request: Bytes32, until: Int64)
  /// From the owner: do not give the share.
  case cancel(request: Bytes32)
  /// To the asker: the share.
  case give(request: Bytes32, share: String)
  /// The share will not be given.
  case no(request: Bytes32, why: Refusal)

  package enum Refusal: String, Sendable {
    /// The guardian refused.
    case refused
    /// The owner stopped it.
    case cancelled
    /// Newer requests took its place in the queue.
    case displaced
  }

  /// The kind of the rumor. It is never published without its wraps.
  static let kind = SignerEnvelope.kind
  /// The longest note, in bytes.
  static let longestNote = 200
  /// Allowed delays in seconds: up to thirty days.
  package static let delays: ClosedRange<Int64> = 1...(30 * 24 * 3600)
  private static let version: Int64 = 1

  /// - Returns: nil for content that is none of these messages.
  init?(_ content: String) {
    guard let value = try? JSONValue(parsing: Array(content.utf8)), value["v"]?.integer == Self.version,
      let verb = value["do"]?.string
    else { return nil }
    let request = value["request"]?.string.flatMap { Hex.decode($0) }.flatMap { Bytes32($0) }
    let kit = value["kit"]?.string.flatMap { $0.utf8.count == 4 && Hex.decode($0) != nil ? $0 : nil }
    let note = Self.clipped(value["note"]?.string ?? "")
    switch verb {
    case "keep":
      guard let share = value["share"]?.string, let delay = value["delay"]?.integer, Self.delays.contains(delay) else {
        return nil
      }
      self = .keep(share: share, delay: delay, code: value["code"]?.string.flatMap(RequestCode.init))
    case "kept":
      guard let kit, let group = Self.index(value["group"]), let member = Self.index(value["member"]) else { return nil }
      self = .kept(kit: kit, group: group, member: member)
    case "ask":
      guard let kit else { return nil }
      self = .ask(kit: kit, note: note, proof: value["proof"]?.string.flatMap { Hex.decode($0) }.flatMap { Bytes32($0) })
    case "code":
      guard let kit, let code = value["code"]?.string.flatMap(RequestCode.init) else { return nil }
      self = .code(kit: kit, code)
    case "asked":
      guard let request, let kit, let until = value["until"]?.integer, let by = value.publicKey("by") else { return nil }
      self = .asked(
        GuardianNotice(
          request: request, kit: kit, by: by, until: until, note: note,
          standing: value["standing"]?.string.flatMap(ShareRequest.Standing.init) ?? .unknown,
          isAllowed: value["allowed"]?.bool ?? false))
    case "waiting":
      guard let request, let until = value["until"]?.integer else { return nil }
      self = .waiting(request: request, until: until)
    case "cancel":
      guard let request else { return nil }
      self = .cancel(request: request)
    case "give":
      guard let request, let share = value["share"]?.string else { return nil }
      self = .give(request: request, share: share)
    case "no":
      guard let request else { return nil }
      self = .no(request: request, why: value["why"]?.string.flatMap(Refusal.init) ?? .refused)
    default: return nil
    }
  }

  var content: String {
    let members: [JSONValue.Member] =
      switch self {
      case .keep(let share, let delay, let code):
        [.init("do", "keep"), .init("share", .string(share)), .init("delay", .integer(delay))]
          + (code.map { [.init("code", .string($0.text))] } ?? [])
      case .kept(let kit, let group, let member):
        [
          .init("do", "kept"), .init("kit", .string(kit)), .init("group", .integer(Int64(group))),
          .init("member", .integer(Int64(member))),
        ]
      case .ask(let kit, let note, let proof):
        [.init("do", "ask"), .init("kit", .string(kit)), .init("note", .string(note))]
          + (proof.map { [.init("proof", .string($0.hex))] } ?? [])
      case .code(let kit, let code): [.init("do", "code"), .init("kit", .string(kit)), .init("code", .string(code.text))]
      case .asked(let notice):
        [
          .init("do", "asked"), .init("request", .string(notice.request.hex)), .init("kit", .string(notice.kit)),
          .init("by", .string(notice.by.hex)), .init("until", .integer(notice.until)), .init("note", .string(notice.note)),
          .init("standing", .string(notice.standing.rawValue)), .init("allowed", .bool(notice.isAllowed)),
        ]
      case .waiting(let request, let until):
        [.init("do", "waiting"), .init("request", .string(request.hex)), .init("until", .integer(until))]
      case .cancel(let request): [.init("do", "cancel"), .init("request", .string(request.hex))]
      case .give(let request, let share):
        [.init("do", "give"), .init("request", .string(request.hex)), .init("share", .string(share))]
      case .no(let request, let why):
        [.init("do", "no"), .init("request", .string(request.hex)), .init("why", .string(why.rawValue))]
      }
    return String(decoding: JSONValue.object([.init("v", .integer(Self.version))] + members).serialized(), as: UTF8.self)
  }

  /// The note without control characters, cut to the allowed length.
  package static func clipped(_ note: String) -> String {
    var clipped = ""
    for scalar in note.unicodeScalars where scalar.value >= 0x20 && scalar.value != 0x7f {
      guard clipped.utf8.count + String(scalar).utf8.count <= longestNote else { break }
      clipped.unicodeScalars.append(scalar)
    }
    return clipped
  }

  private static func index(_ value: JSONValue?) -> Int? {
    guard let number = value?.integer, (0..<Int64(SharePlan.most)).contains(number) else { return nil }
    return Int(number)
  }
}
