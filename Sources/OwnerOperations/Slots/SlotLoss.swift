import Encodings
import Identities
import JSON
import Nostr
import OwnerAPI
import OwnerWords
import Signer
import Vault

/// What nobody could ever read again after a change of slots.
struct SlotLoss {
  let classes: [ProtectionClass]
  /// Identities whose key would be lost.
  let identities: [Identity]
  /// Identities that would keep their key but lose the words it came from.
  let wordsOf: [Identity]
  /// Other programs' items.
  let items: Int

  init(of classes: [ProtectionClass], in home: OpenedHome) throws {
    self.classes = classes
    identities = home.identities.all.filter { classes.contains($0.protection) }
    wordsOf = try home.identities.all.filter { identity in
      guard let words = identity.words, !classes.contains(identity.protection) else { return false }
      return try home.vault.protection(of: .identityWords, id: words.array).map(classes.contains) ?? false
    }
    items = try home.vault.counts(of: classes)[.itemValue] ?? 0
  }

  var isEmpty: Bool { classes.isEmpty }

  /// For the owner.
  var told: KeyLoss {
    var told = KeyLoss()
    told.classes = classes.map(KeyProtection.init)
    told.identities = identities.map { identity in
      var lost = LostIdentity()
      (lost.name, lost.npub, lost.protection) = (identity.name, identity.publicKey.npub, KeyProtection(identity.protection))
      return lost
    }
    (told.wordsOf, told.items) = (wordsOf.map(\.name), Int64(items))
    return told
  }

  /// The loss as a sentence; nil for none.
  var words: String? { isEmpty ? nil : sentence }

  /// Names each loss.
  var sentence: String {
    var things = identities.map { "the key of “\($0.name)” (\($0.protection.name))" }
    things += wordsOf.map { "the words of “\($0.name)”" }
    if items > 0 { things.append(items == 1 ? "an item of another program" : "\(items) items of other programs") }
    return things.isEmpty
      ? "keys of the class \(classes.map(\.name).joined(separator: " and "))" : things.joined(separator: ", ")
  }

  /// - Parameter what: the change, as the beginning of the sentence.
  /// - Throws: an error that names what would be lost, unless the owner accepted the loss.
  func checkAccepted(_ isAccepted: Bool, by what: String) throws {
    guard !isEmpty, !isAccepted else { return }
    throw OperationError.failed(
      "\(what) would lose for good: \(sentence).",
      hint:
        "Move these keys to another class first (holdfast identity class), make a recovery kit, or keep an export. To lose them anyway: --accept-loss"
    )
  }
}
