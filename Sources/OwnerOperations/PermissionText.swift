import Curve
import Nostr
import RemoteSigning

// Permissions for people. A key of 64 digits in a table is a row of digits over several lines, and says less than the words for it.

extension Permission {
  /// The permission as people read it: `nip44_encrypt@self` for the identity itself, `nip44_encrypt@npub1adat9j2…qyf0a3q` for a person.
  func text(of identity: PublicKey) -> String {
    person(identity) { $0.prefix(Self.shownStart) + "…" + $0.suffix(Self.shownEnd) }
  }

  /// The same for the log, whose rules are ASCII and short: `nip44_encrypt@npub1adat9j2xyzabcdefg`.
  func logText(of identity: PublicKey) -> String { person(identity) { String($0.prefix(Self.loggedStart)) } }

  private func person(_ identity: PublicKey, _ shortened: (String) -> String) -> String {
    guard case .counterparty(let key) = scope else { return description }
    return "\(Permission(method, kind: kind))@\(key == identity ? "self" : shortened(key.npub))"
  }

  /// How much of an npub is shown, in characters: enough to tell it from another.
  private static let (shownStart, shownEnd, loggedStart) = (12, 7, 20)
}
