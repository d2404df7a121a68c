import AuditLog
import Ciphers
package import Curve
import Encodings
import EntrustedShares
import Mnemonics
import Platform
package import SecretMemory
import Signer
package import Vault

/// Shares on their way back.
extension GuardianBook {
  /// As earlier versions kept one: by its place in the kit alone.
  private static let oldReceivedMark = UInt8(ascii: "r")
  private static let receivedMark = UInt8(ascii: "s")
  private static let keyLength = 32

  /// By its guardian, its place in the kit and its words: a forged share takes the place of no other, not even of one that the same
  /// guardian sent.
  static func receivedID(from guardian: PublicKey, _ numbers: ShareNumbers, _ variant: String) -> [UInt8] {
    [receivedMark] + guardian.bytes.array
      + Array("\(numbers.kit).\(numbers.groupIndex).\(numbers.memberIndex).\(variant)".utf8)
  }

  /// What tells shares of one place from each other: 16 hex digits of a hash of their words, which have 128 bits or more.
  static func variant(of words: borrowing SecretBytes) -> String {
    words.withBytes { String(SHA256.digest(of: $0).hex.prefix(16)) }
  }

  /// The shares that came back, as secrets.
  /// - Parameters:
  ///   - kit: of this kit alone.
  ///   - guardian: from this one alone.
  package func sharesReceived(kit: String?, from guardian: PublicKey? = nil) throws(VaultError) -> [SecretBox] {
    var shares: [SecretBox] = []
    for id in try vault.ids(.heldShare) {
      let (place, sender): (ArraySlice<UInt8>, PublicKey?)
      switch id.first {
      case Self.oldReceivedMark: (place, sender) = (id.dropFirst(), nil)
      case Self.receivedMark:
        (place, sender) = (
          id.dropFirst(1 + Self.keyLength), Bytes32(id.dropFirst().prefix(Self.keyLength)).map(PublicKey.init)
        )
      default: continue
      }
      guard kit == nil || place.starts(with: Array("\(kit ?? "").".utf8)), guardian == nil || sender == guardian else { continue }
      shares.append(SecretBox(try vault.secret(kind: .heldShare, id: id)))
    }
    return shares
  }

  // MARK: time

  /// Requests whose time is over and that the person here allowed, with the letters that give the shares. The giving is recorded before
  /// any of them can leave, once for each request.
  /// - Parameter canWrite: whether letters of an identity can be written now.
  func due(at moment: Moment, canWrite: (PublicKey) -> Bool) throws -> [(request: ShareRequest, letters: [GuardianEnvelope])] {
    try turn.withLock {
      var due: [(request: ShareRequest, letters: [GuardianEnvelope])] = []
      for var request in try allowed(at: moment) where try (left(of: request, at: moment) ?? 1) <= 0 && canWrite(request.identity)
      {
        if request.state == .approved { try beginGiving(&request) }
        let letters = try shares(for: request).map { note in
          let words = try vault.secret(kind: .heldShare, id: note.id).withBytes { String(decoding: $0, as: UTF8.self) }
          return GuardianEnvelope(
            message: .give(request: request.request, share: words), from: request.identity, to: request.other)
        }
        due.append((request, letters))
      }
      return due
    }
  }

  private func beginGiving(_ request: inout ShareRequest) throws {
    request.state = .giving
    let changed = request
    try outbox.recording(.event(.guardianReleased, identity: request.identity, client: request.other)) { try store(changed) }
  }

  /// Requests that the person here allowed. The wait of one that an earlier version noted begins now; one for a share that is gone ends.
  private func allowed(at moment: Moment) throws -> [ShareRequest] {
    var allowed: [ShareRequest] = []
    for var request in try requests(.guardian) where request.isAllowed {
      guard try !shares(for: request).isEmpty else {
        request.state = .lapsed
        try store(request)
        continue
      }
      if request.wait == nil {
        try begin(&request, at: moment)
        try store(request)
      }
      allowed.append(request)
    }
    return allowed
  }

  /// A relay took the shares of a request. Also of one that was stopped while they were on their way: what is gone is gone.
  func gave(_ given: ShareRequest) throws {
    try turn.withLock {
      guard var request = try find(given.request, .guardian) else { return }
      request.state = .given
      try store(request)
    }
  }

  /// Milliseconds until the next of them is due; nil when none waits for time alone.
  func nextDue(at moment: Moment) throws -> Int64? {
    try turn.withLock {
      try requests(.guardian).filter(\.isAllowed).compactMap { try left(of: $0, at: moment) }.min()
    }
  }

  /// Forgets requests of long ago. Their letters ask no more, not even when the clock on the wall was only ahead for a while.
  /// - Parameter now: seconds since 1970.
  func forgetOld(now: Int64) throws {
    try turn.withLock {
      let old = try requests().filter { $0.at < now - Self.kept }
      guard !old.isEmpty else { return }
      let newest = old.filter { $0.part == .guardian }.map(\.sent).max() ?? .min
      let deaf: [RecordChange] = try newest > deafUntil(now: now) ? [UntakenRequests.change(until: newest)] : []
      try vault.transaction(deaf + old.map { .delete(kind: .shareRequest, id: $0.id) })
    }
  }
}
