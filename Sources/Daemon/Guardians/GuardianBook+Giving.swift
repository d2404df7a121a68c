internal import AuditLog
internal import Curve
internal import Encodings
internal import Locks
internal import Mnemonics
internal import SecretMemory
internal import Vault

/// Shares on their way back.
extension GuardianBook {
  private static let receivedMark = UInt8(ascii: "r")

  static func receivedID(_ request: ShareRequest, _ numbers: ShareNumbers) -> [UInt8] {
    [receivedMark] + Array("\(request.kit).\(numbers.groupIndex).\(numbers.memberIndex)".utf8)
  }

  /// The shares that came back for a kit, as secrets.
  func sharesReceived(kit: String?) throws(VaultError) -> [SecretBox] {
    var shares: [SecretBox] = []
    for id in try vault.ids(.heldShare) where id.first == Self.receivedMark {
      guard kit == nil || id.dropFirst().starts(with: Array("\(kit ?? "").".utf8)) else { continue }
      shares.append(SecretBox(try vault.secret(kind: .heldShare, id: id)))
    }
    return shares
  }

  // MARK: time

  /// Requests whose time is over and that the person here allowed, with the letters that give the shares.
  func due(now: Int64) throws -> [(request: ShareRequest, letters: [GuardianLetter])] {
    try turn.withLock { _ in
      try requests(.guardian).filter { $0.state == .approved && $0.until <= now }.map { request in
        let held = try held().filter { $0.kit == request.kit && $0.other == request.third && $0.identity == request.identity }
        let letters = try held.map { note in
          let words = try vault.secret(kind: .heldShare, id: note.id).withBytes { String(decoding: $0, as: UTF8.self) }
          return GuardianLetter(message: .give(request: request.request, share: words), from: request.identity, to: request.other)
        }
        return (request, letters)
      }
    }
  }

  /// A relay took the shares of a request. Also of one that was stopped while they were on their way: what is gone is gone.
  func gave(_ given: ShareRequest) throws {
    try turn.withLock { _ in
      guard var request = try find(given.request, .guardian) else { return }
      request.state = .given
      try store(request)
    }
    log.append(.event(.guardianReleased, identity: given.identity, client: given.other)) { _ in }
  }

  /// When the next of them is due, seconds since 1970; nil when none waits for time alone.
  func nextDue() throws -> Int64? { try requests(.guardian).filter { $0.state == .approved }.map(\.until).min() }

  /// Forgets requests of long ago.
  func forgetOld(now: Int64) throws {
    try turn.withLock { _ in
      let old = try requests().filter { $0.at < now - Self.kept }
      if !old.isEmpty { try vault.transaction(old.map { .delete(kind: .shareRequest, id: $0.id) }) }
    }
  }
}
