import AuditLog
import Curve
package import EntrustedShares
import JSON
import Platform
import Signer
import Vault

/// The code that marks the owner's own requests: one for each kit. Record kind guardian, id `c` · kit.
extension GuardianBook {
  private static let codeMark = UInt8(ascii: "c")

  private static func codeID(_ kit: String) -> [UInt8] { [codeMark] + Array(kit.utf8) }

  /// - Returns: nil if no guardian has a share of the kit.
  func code(_ kit: String) throws -> RequestCode? {
    try vault.value(.guardian, id: Self.codeID(kit)).flatMap { try? JSONValue(parsing: $0) }?["code"]?.string
      .flatMap(RequestCode.init)
  }

  func codeOrNew(_ kit: String) throws -> (RequestCode, [RecordChange]) {
    if let code = try code(kit) { return (code, []) }
    let code = RequestCode.random()
    return (code, [Self.change(code, kit)])
  }

  private static func change(_ code: RequestCode, _ kit: String) -> RecordChange {
    .put(.guardian, codeID(kit), JSONValue.object([.init("code", .string(code.text))]).serialized())
  }

  /// The code of a kit, with envelopes that tell it to the guardians. A guardian who got the share before there were codes does
  /// not know it.
  /// - Parameter isNew: makes a new code, which the guardians take in place of the old one.
  /// - Returns: nil if no guardian has a share of this kit.
  package func tellCode(_ kit: String, isNew: Bool) throws -> (RequestCode, [GuardianEnvelope])? {
    try turn.withLock {
      let notes = try guardians().filter { $0.kit == kit }
      guard !notes.isEmpty else { return nil }
      let known = try self.code(kit)
      let code = isNew ? RequestCode.random() : known ?? .random()
      if code != known {
        // A kit has no identity of its own in the log. The entry names the identities whose shares its guardians hold.
        try outbox.recording(.event(.requestCodeChanged, identity: notes[0].identity)) {
          try vault.transaction([Self.change(code, kit)])
        }
      }
      return (
        code,
        notes.map { GuardianEnvelope(message: .code(kit: kit, code), from: $0.identity, to: $0.other, relays: $0.relays) }
      )
    }
  }

  /// Takes a code only from the owner, and not an older one that a relay sends again.
  func setCode(_ code: RequestCode, _ kit: String, _ owner: PublicKey, _ identity: PublicKey, _ set: Int64) throws {
    let changes: [RecordChange] = try heldAndOffered()
      .filter { $0.other == owner && $0.identity == identity && $0.kit == kit && $0.codeSet < set }
      .map { note in
        var note = note
        (note.code, note.codeSet) = (code, set)
        return .put(.guardian, note.id, note.record)
      }
    if !changes.isEmpty { try vault.transaction(changes) }
  }
}
