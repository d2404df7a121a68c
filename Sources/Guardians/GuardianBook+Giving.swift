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

/// Shares that are given back.
extension GuardianBook {
  /// Marks a share as earlier versions stored it: under its place in the kit alone.
  private static let oldReceivedMark = UInt8(ascii: "r")
  private static let receivedMark = UInt8(ascii: "s")
  private static let keyLength = 32

  /// The id of a received share: its guardian, its place in the kit and its words. So a forged share replaces no other, not even
  /// one from the same guardian.
  static func receivedID(from guardian: PublicKey, _ numbers: ShareNumbers, _ variant: String) -> [UInt8] {
    [receivedMark] + guardian.bytes.array
      + Array("\(numbers.kit).\(numbers.groupIndex).\(numbers.memberIndex).\(variant)".utf8)
  }

  /// Distinguishes shares of the same place: 16 hex digits of a hash of their words, which have 128 bits or more.
  static func variant(of words: borrowing SecretBytes) -> String {
    words.withBytes { String(SHA256.digest(of: $0).hex.prefix(16)) }
  }

  /// The shares that were given back, as secrets.
  /// - Parameters:
  ///   - kit: only shares of this kit.
  ///   - guardian: only shares from this guardian.
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

  /// Allowed requests whose waiting time is over, with the envelopes that give the shares. That they are given is recorded before
  /// any envelope can be sent, once for each request.
  /// - Parameter canWrite: whether envelopes of an identity can be written now.
  func due(at moment: Moment, canWrite: (PublicKey) -> Bool) throws -> [(request: ShareRequest, envelopes: [GuardianEnvelope])] {
    try turn.withLock {
      var due: [(request: ShareRequest, envelopes: [GuardianEnvelope])] = []
      for var request in try allowed(at: moment) where try (left(of: request, at: moment) ?? 1) <= 0 && canWrite(request.identity)
      {
        if request.state == .approved { try beginGiving(&request) }
        let envelopes = try shares(for: request).map { note in
          let words = try vault.secret(kind: .heldShare, id: note.id).withBytes { String(decoding: $0, as: UTF8.self) }
          return GuardianEnvelope(
            message: .give(request: request.request, share: words), from: request.identity, to: request.other)
        }
        due.append((request, envelopes))
      }
      return due
    }
  }

  private func beginGiving(_ request: inout ShareRequest) throws {
    request.state = .giving
    let changed = request
    try outbox.recording(.event(.guardianReleased, identity: request.identity, client: request.other)) { try store(changed) }
  }

  /// Requests that the person here allowed. If an earlier version stored the request, its wait begins now. If the share is gone,
  /// it ends.
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

  /// A relay took the shares of a request. This counts even if the request was stopped meanwhile, because the shares cannot be
  /// taken back.
  func gave(_ given: ShareRequest) throws {
    try turn.withLock {
      guard var request = try find(given.request, .guardian, from: given.other) else { return }
      request.state = .given
      try store(request)
    }
  }

  /// Milliseconds until the next request is due. Nil if none waits for time alone.
  func nextDue(at moment: Moment) throws -> Int64? {
    try turn.withLock {
      try requests(.guardian).filter(\.isAllowed).compactMap { try left(of: $0, at: moment) }.min()
    }
  }

  /// Forgets old requests. Their envelopes are not taken again, not even when the wall clock was only ahead for a while.
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
