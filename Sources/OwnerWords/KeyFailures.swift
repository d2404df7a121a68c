package import Identities
import Mnemonics
package import OwnerAPI
import Vault

extension OperationError {
  /// An error in the text of a key.
  package init(_ fault: KeyTextError) {
    switch fault {
    case .unknownFormat:
      self.init(
        .usage, "This is not a key in any known format.",
        hint: "Give an nsec, 64 hex digits, an ncryptsec, 12 to 24 words, a key file, or another signer's export.")
    case .isPublicKey:
      self.init(
        .usage, "This is a public key, but signing needs the secret key.", hint: "Give the secret key. It begins with nsec.")
    case .tooLong(let limit): self.init(.usage, "This is longer than any key (\(limit) bytes).")
    case .text(let form, let error):
      self.init(.usage, "This \(form.rawValue) is damaged: \(error.words).", hint: "Check that you copied all of it.")
    case .words(let error):
      self.init(
        .usage, "These words are not a valid mnemonic: \(error.words).",
        hint: "Check their spelling and order.")
    case .notAKey(let form): self.init(.usage, "This \(form.rawValue) is well formed, but it is not a valid key.")
    case .guessable:
      self.init(
        .failed, "This key is weak: anybody can guess it, and thieves try such keys first.",
        hint: "Nothing was changed. Make a new key: holdfast identity create NAME")
    case .published:
      self.init(
        .failed,
        "Everybody knows this key: a standard or a tool prints it, or its words, as an example. Anybody can sign with it.",
        hint: "Nothing was changed. Use a key of your own. For a test: holdfast identity import NAME --yes")
    case .needsPassword:
      self.init(.usage, "This key is encrypted and needs its password.", hint: "Give it with --password-file FILE.")
    case .wrongPassword: self.init(.locked, "The password does not open this key.", hint: "Nothing was changed. Try again.")
    case .accountOutOfRange: self.init(.usage, "An account must be a number below 2147483648.")
    case .file(let form, let part):
      self.init(
        .usage, "This \(form.rawValue) cannot be read: \(part) is wrong.", hint: "Check that you copied all of it.")
    case .costOutOfRange(let form):
      self.init(.usage, "This \(form.rawValue) needs more memory or time than is allowed, or too little to protect the key.")
    case .severalKeys(0): self.init(.usage, "This file has no key.")
    case .severalKeys(let count):
      self.init(.usage, "This file has \(count) keys.", hint: "Choose one: --pick NUMBER, or its name or npub.")
    case .noSuchKeyInside:
      self.init(.notFound, "This file has no such key.", hint: "Give its number from 1, its name or its npub.")
    case .otherPublicKey(let form):
      self.init(.usage, "The secret key and the public key in this \(form.rawValue) do not fit together: the file was changed.")
    case .needsLibrary(let file):
      self.init(
        .failed, "Reading this needs the library \(file), which is not installed.", hint: "On Debian: apt install libargon2-1")
    }
  }

}
