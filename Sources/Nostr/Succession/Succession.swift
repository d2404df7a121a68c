public import Curve
import Encodings

/// The succession of one key by another, in Holdfast's own format. It is experimental: no NIP for this is merged, and other
/// programs do not know it.
///
/// Two events make a succession: the old key's statement that names the new key, and the new key's acceptance that names the statement.
/// Neither alone proves anything: the first could name a stranger's key, the second a stranger's past. Format: docs/ROTATION.md.
public enum Succession {
  /// A regular kind: relays keep every such event, so that a thief of the old key cannot replace the owner's statement by his own.
  public static let kind = 8041

  /// Why a key is replaced.
  public enum Reason: String, Sendable, CaseIterable {
    /// Because its owner wants a new one.
    case rotated
    /// Because somebody else has it, or may have it.
    case compromised
    /// The statement was signed in advance, for the day when the key is lost or known to others.
    case prepared
  }

  /// The statement, which the old key signs.
  /// - Parameter now: seconds since 1970.
  public static func statement(from old: PublicKey, to new: PublicKey, reason: Reason, now: Int64) -> UnsignedEvent {
    let words = "\(old.npub) is succeeded by \(new.npub)"
    return UnsignedEvent(
      pubkey: old, createdAt: now, kind: kind,
      tags: [["p", new.hex, "", successor], ["reason", reason.rawValue], ["alt", "Key succession: \(words)"]],
      content:
        "This key is succeeded by nostr:\(new.npub). \(sentence(reason)) Please follow the new key, and check with me by another way."
    )
  }

  /// The acceptance, which the new key signs.
  /// - Parameter statement: the old key's.
  public static func acceptance(of statement: Event, by new: PublicKey, now: Int64) -> UnsignedEvent {
    UnsignedEvent(
      pubkey: new, createdAt: now, kind: kind,
      tags: [
        ["p", statement.pubkey.hex, "", predecessor], ["e", statement.id.hex, "", predecessor, statement.pubkey.hex],
        ["alt", "Key succession: \(new.npub) accepts to succeed \(statement.pubkey.npub)"],
      ], content: "This key succeeds nostr:\(statement.pubkey.npub).")
  }

  /// A note for people, signed by the old key.
  public static func note(from old: PublicKey, to new: PublicKey, reason: Reason, now: Int64) -> UnsignedEvent {
    UnsignedEvent(
      pubkey: old, createdAt: now, kind: 1, tags: [["p", new.hex]],
      content:
        "I have a new key: nostr:\(new.npub)\n\(sentence(reason)) Please follow me there, and check with me by another way that this is true."
    )
  }

  /// The key that a statement names.
  /// - Throws: when it is no statement, its signature is not its author's, or it names no key, several, or its own.
  public static func successor(namedBy statement: Event) throws(SuccessionError) -> PublicKey {
    try check(statement)
    let named = keys(statement, successor)
    guard named.count == 1, let key = named.first else { throw .notOneSuccessor(count: named.count) }
    guard key != statement.pubkey else { throw .namesItself }
    return key
  }

  /// Whether the two events make a succession. The times in them prove nothing.
  public static func check(_ statement: Event, acceptedBy acceptance: Event) throws(SuccessionError) {
    let new = try successor(namedBy: statement)
    try check(acceptance)
    guard acceptance.pubkey == new else { throw .acceptedByAnother }
    let statements = acceptance.tags.filter { $0.count > 3 && $0[0] == "e" && $0[3] == predecessor }.map { $0[1] }
    guard keys(acceptance, predecessor) == [statement.pubkey], statements == [statement.id.hex] else { throw .acceptsAnother }
  }

  private static let successor = "successor"
  private static let predecessor = "predecessor"

  private static func check(_ event: Event) throws(SuccessionError) {
    guard event.kind == kind else { throw .wrongKind }
    do { try event.verify() } catch { throw .forged }
  }

  private static func keys(_ event: Event, _ role: String) -> [PublicKey] {
    event.tags.filter { $0.count > 3 && $0[0] == "p" && $0[3] == role }.compactMap { PublicKey(hex: $0[1]) }
  }

  private static func sentence(_ reason: Reason) -> String {
    switch reason {
    case .rotated: "The old key is not used any more."
    case .compromised: "Somebody else may have the old key: do not believe what it signs from now on."
    case .prepared: "The old key is lost or may be known to others: do not believe what it signs from now on."
    }
  }
}

/// Why two events do not make a succession.
public enum SuccessionError: Error, Equatable, Sendable {
  case wrongKind
  /// An id or signature that is not the author's.
  case forged
  case notOneSuccessor(count: Int)
  case namesItself
  /// The acceptance is not the named key's.
  case acceptedByAnother
  /// The acceptance is of another statement or another key.
  case acceptsAnother
}
