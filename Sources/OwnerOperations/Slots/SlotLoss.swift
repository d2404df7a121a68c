import Encodings
import Identities
import JSON
import Nostr
import OwnerAPI
import Signer
import Vault

/// What nobody could ever read again after a change of slots.
struct SlotLoss {
  let classes: [ProtectionClass]
  /// Identities whose key would be lost.
  let identities: [Identity]
  /// Identities that would keep their key and lose the words it came from.
  let wordsOf: [Identity]
  /// Other programs' items.
  let items: Int

  init(of classes: [ProtectionClass], in core: Core) throws {
    self.classes = classes
    identities = core.identities.all.filter { classes.contains($0.protection) }
    wordsOf = try core.identities.all.filter { identity in
      guard let words = identity.words, !classes.contains(identity.protection) else { return false }
      return try core.vault.protection(of: .identityWords, id: words.array).map(classes.contains) ?? false
    }
    items = try core.vault.counts(of: classes)[.itemValue] ?? 0
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

  /// The same in words; nil for nothing.
  var words: String? { isEmpty ? nil : sentence }

  /// Each thing by name.
  var sentence: String {
    var things = identities.map { "the key of “\($0.name)” (\($0.protection.name))" }
    things += wordsOf.map { "the words of “\($0.name)”" }
    if items > 0 { things.append(items == 1 ? "an item of another program" : "\(items) items of other programs") }
    return things.isEmpty
      ? "what is kept under \(classes.map(\.name).joined(separator: " and "))" : things.joined(separator: ", ")
  }

  /// - Parameter what: does it; the beginning of the sentence.
  /// - Throws: naming what would be lost, unless the owner said that it may be.
  func checkAccepted(_ isAccepted: Bool, by what: String) throws {
    guard !isEmpty, !isAccepted else { return }
    throw OperationError.failed(
      "\(what) would lose for good: \(sentence).",
      hint:
        "Move it to another class first (holdfast identity class), make a recovery kit, or keep an export. If it may be lost: --accept-loss"
    )
  }
}
