import Curve
import Encodings
import RemoteSigning
import TestSupport

extension Decision.Verdict {
  /// The more, the less is done.
  var rank: Int { self == .allow ? 0 : self == .ask ? 1 : 2 }
}

/// Random grants and requests, the same for the same seed.
struct Samples {
  var generator: Repeatable
  static let keys = (1...3).map { PublicKey(Bytes32(repeating: UInt8($0))) }

  init(seed: UInt64) { generator = Repeatable(seed: seed) }

  mutating func grant(at now: Int64) -> Grant {
    var grant = Grant(trust: TrustLevel.allCases.randomElement(using: &generator)!)
    for _ in 0..<Int.random(in: 0...6, using: &generator) {
      try? grant.set(
        Decision.Verdict.allCases.randomElement(using: &generator)!, permission(), for: remembered(),
        at: now - Int64.random(in: 0...4000, using: &generator))
    }
    if Bool.random(using: &generator) { grant.limits.perHour = Int.random(in: 0...2, using: &generator) }
    return grant
  }

  mutating func remembered() -> Remembered { Remembered.choices.randomElement(using: &generator)! }
  mutating func time() -> Int64 { Int64.random(in: 0...700_000, using: &generator) }

  mutating func conditions() -> Policy.Conditions {
    var usage = Usage()
    if Bool.random(using: &generator) {
      usage.count(
        RequestFacts(method: .signEvent, kind: 1), under: Grant(trust: .full, limits: .init(perHour: 1)), at: 1_750_000_000)
    }
    return Policy.Conditions(isSuspended: Int.random(in: 0..<8, using: &generator) == 0, usage: usage)
  }

  mutating func permission() -> Permission {
    let method: RemoteSigning.Method = [.signEvent, .signEvent, .nip44Decrypt, .nip04Encrypt].randomElement(using: &generator)!
    guard method == .signEvent else {
      return Permission(
        method, scope: Bool.random(using: &generator) ? .counterparty(Self.keys.randomElement(using: &generator)!) : nil)
    }
    guard Bool.random(using: &generator) else { return Permission(method) }
    let kind = [0, 1, 3, 7375, 22242, 27235].randomElement(using: &generator)!
    return Permission(method, kind: kind, scope: Bool.random(using: &generator) ? scope(kind) : nil)
  }

  mutating func scope(_ kind: Int?) -> PermissionScope? {
    switch kind {
    case 22242: .relay(named: ["wss://a.example", "wss://b.example"].randomElement(using: &generator)!)
    case 27235:
      .web(
        named: ["GET", "POST"].randomElement(using: &generator)!,
        "https://a.example/" + ["x", "y", "*"].randomElement(using: &generator)!)
    case nil: .counterparty(Self.keys.randomElement(using: &generator)!)
    default: nil
    }
  }

  mutating func facts() -> RequestFacts {
    let permission = permission()
    let isSigning = permission.method == .signEvent
    let kind = isSigning ? permission.kind ?? 30023 : nil
    return RequestFacts(
      method: permission.method, kind: kind, scope: scope(kind), isSelf: Bool.random(using: &generator),
      isKnownRelay: Bool.random(using: &generator),
      follows: kind == 3
        ? [.unknown, .change(before: 10, dropped: 0, kept: 10), .change(before: 10, dropped: 9, kept: 1)].randomElement(
          using: &generator)!
        : nil)
  }
}

extension Bytes32 {
  fileprivate init(repeating byte: UInt8) { self = Bytes32([UInt8](repeating: byte, count: 32))! }
}
