public import Mnemonics
public import Nostr
public import SecretMemory

/// The forms in which a secret key can be given.
public enum KeyForm: String, Sendable, Equatable {
  case nsec, hex, ncryptsec, mnemonic
  /// Holdfast's own encrypted key file.
  case keyFile = "key file"
  /// What Amber, an Android signer, exports: a line of JSON for each account, or one object that lists them.
  case amber = "Amber export"
  /// What the browser extension nos2x-fox exports of a profile.
  case nos2xFox = "nos2x-fox profile"
  /// The configuration of nsecbunkerd.
  case nsecBunker = "nsecBunker configuration"
  /// A backup of privkeyio's keep.
  case keep = "keep backup"

  /// Whether it is a file that may hold several keys or needs decrypting, rather than the text of one key.
  var isFile: Bool {
    switch self {
    case .nsec, .hex, .ncryptsec, .mnemonic: false
    case .keyFile, .amber, .nos2xFox, .nsecBunker, .keep: true
    }
  }
}

/// What is wrong with the text of a key. No case carries any of it.
public enum KeyTextError: Error, Equatable, Sendable {
  /// None of the forms of a key, nor a file of one.
  case unknownFormat
  /// A public key was given, and the secret one is wanted.
  case isPublicKey
  /// More bytes than any form of a key has.
  case tooLong(limit: Int)
  /// A fault in an `nsec` or `ncryptsec`.
  case text(KeyForm, EntityError)
  /// A fault in the words.
  case words(MnemonicError)
  /// Well formed, and no secret key of the curve.
  case notAKey(KeyForm)
  /// A key that thieves try first, such as the number 1.
  case guessable
  /// A key, or words, that everybody knows: an example of a standard or a tool.
  case published
  /// An encrypted key without its password.
  case needsPassword
  /// The password is wrong or, in files that cannot distinguish this, the file was changed.
  case wrongPassword
  /// A NIP-06 account is a number below 2^31.
  case accountOutOfRange
  /// The file is cut, changed, or made by a later version of its program. Names the member or part that is wrong.
  case file(KeyForm, StaticString)
  /// Its password function costs more than is allowed, or so little that it protects nothing.
  case costOutOfRange(KeyForm)
  /// The file holds this many keys, and which one is meant was not said.
  case severalKeys(count: Int)
  /// The file holds no key of that number, name or public key.
  case noSuchKeyInside
  /// The file says that the key belongs to another public key than it does.
  case otherPublicKey(KeyForm)
  /// A library that this form needs is not installed here. Names its file.
  case needsLibrary(StaticString)

  /// `StaticString` has no equality of its own.
  public static func == (left: KeyTextError, right: KeyTextError) -> Bool { "\(left)" == "\(right)" }
}

/// What it may take to read a key, beside its text.
public struct ImportHelp: Sendable {
  /// For an `ncryptsec` and for files.
  public var password: SecretBox?
  /// For words: the BIP-39 passphrase. nil is none.
  public var passphrase: SecretBox?
  /// For words: the NIP-06 account, below 2^31.
  public var account: UInt32
  /// For files of several keys: which one, by its number from 1, its name there, or its public key.
  public var pick: String?
  /// Takes a key that anybody can guess: it is restored, so somebody uses it already.
  public var takesGuessable: Bool
  /// Takes a key that everybody knows, because the owner said so: it is for a test, or restored.
  public var takesPublished: Bool

  /// Nothing, unless told otherwise.
  public init(
    password: SecretBox? = nil, passphrase: SecretBox? = nil, account: UInt32 = 0, pick: String? = nil,
    takesGuessable: Bool = false, takesPublished: Bool = false
  ) {
    (self.password, self.passphrase, self.account, self.pick) = (password, passphrase, account, pick)
    (self.takesGuessable, self.takesPublished) = (takesGuessable, takesPublished)
  }
}
