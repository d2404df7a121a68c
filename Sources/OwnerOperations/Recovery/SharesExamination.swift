import Curve
import JSON
import Mnemonics
import Nostr
package import OwnerAPI
import OwnerWords
package import SecretMemory
import Vault

/// Examines shares without a vault, so that a person can be asked whether it is the right key before anything is stored.
package struct SharesExamination {
  /// A key that the shares may be for.
  package struct Possible {
    /// The public key.
    package let npub: String
    /// What the shares would hold: “24 words, account 0”.
    package let text: String
  }

  private let shares: CombinedShares

  /// - Parameters:
  ///   - lines: enough shares, one a line.
  ///   - code: the recovery code; nil for none. A wrong one gives another key and no error.
  /// - Throws: for too few shares, or shares that do not belong together. Some that do not fit are left out, as by the restore.
  package init(_ lines: SecretBox, code: SecretBox?) throws(OperationError) {
    shares = try OperationError.wrapping { try CombinedShares(lines, code: code, leavingOut: true) }
  }

  /// Whether a text is a public key, as npub or 64 hex digits.
  package static func isPublicKey(_ text: String) -> Bool { PublicKey(npubOrHex: text) != nil }

  /// The kit's number, four hex digits.
  package var kit: String { shares.numbers.kit }

  /// Whether the shares give a key.
  /// - Parameters:
  ///   - npub: an npub or 64 hex digits.
  ///   - account: the only account that is tried, below 2^31; nil tries the first thousand.
  /// - Throws: for a text that is no public key.
  package func gives(_ npub: String, account: UInt32?) throws(OperationError) -> Bool {
    guard let key = PublicKey(npubOrHex: npub) else { throw .notAnNpub }
    do { return try KitForm.of(shares.secret, giving: key, account: account) != nil } catch { throw OperationError(error) }
  }

  /// The keys that the shares may be for if nobody says which.
  /// - Parameters:
  ///   - areWords: whether the owner said that they hold words.
  ///   - account: below 2^31; nil tries 0, and a key that does not come from words.
  package func possible(areWords: Bool, account: UInt32?) throws(OperationError) -> [Possible] {
    do {
      return try KitForm.possible(of: shares.secret, areWords: areWords, account: account).map {
        Possible(npub: $0.key.npub, text: $0.form.text(secretLength: shares.secret.count))
      }
    } catch { throw OperationError(error) }
  }
}

extension OperationError {
  static let notAnNpub = usage(
    "That is not an npub, or a letter of it is wrong.", hint: "Compare it with the page, letter by letter.")
}
