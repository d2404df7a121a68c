import Identities
import OwnerAPI
import Vault

extension OperationError {
  /// A fault in the text of a key.
  init(_ fault: KeyTextError) {
    switch fault {
    case .unknownFormat:
      self.init(
        .usage, "This is no key that can be read.",
        hint: "Give an nsec, 64 hex digits, an ncryptsec, 12 to 24 words, a key file, or what another signer exported.")
    case .isPublicKey: self.init(.usage, "This is a public key; the secret one is needed to sign.", hint: "It begins with nsec.")
    case .tooLong(let limit): self.init(.usage, "This is longer than any key (\(limit) bytes).")
    case .text(let form, let error):
      self.init(.usage, "This \(form.rawValue) is damaged: \(error.words).", hint: "Check that it was copied whole.")
    case .words(let error):
      self.init(.usage, "These words are no mnemonic: \(error.words).", hint: "Check their spelling and order.")
    case .notAKey(let form): self.init(.usage, "This \(form.rawValue) is well written, but no key of the curve.")
    case .needsPassword:
      self.init(.usage, "This key is encrypted and needs its password.", hint: "Give it with --password-file FILE.")
    case .wrongPassword: self.init(.locked, "The password does not open this key.", hint: "Try again; nothing was changed.")
    case .accountOutOfRange: self.init(.usage, "An account is a number below 2147483648.")
    case .file(let form, let part):
      self.init(
        .usage, "This \(form.rawValue) cannot be read: \(part) is not as it should be.", hint: "Check that it was copied whole.")
    case .costOutOfRange(let form):
      self.init(.usage, "This \(form.rawValue) asks for more memory or time than is allowed, or for less than protects it.")
    case .severalKeys(0): self.init(.usage, "There is no key in this file.")
    case .severalKeys(let count):
      self.init(.usage, "There are \(count) keys in this file.", hint: "Say which: --pick NUMBER, or its name or npub.")
    case .noSuchKeyInside: self.init(.notFound, "There is no such key in this file.", hint: "Count from 1, or name its npub.")
    case .otherPublicKey(let form):
      self.init(.usage, "In this \(form.rawValue) the secret key belongs to another public key than it says: it was changed.")
    case .needsLibrary(let file):
      self.init(.failed, "To read this, \(file) is needed and not here.", hint: "On Debian: apt install libargon2-1")
    }
  }

}
