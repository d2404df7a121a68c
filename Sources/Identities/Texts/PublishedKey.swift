import Curve
import Mnemonics
public import SecretMemory

/// Keys that everybody knows, because a standard or a tool prints them as an example.
public enum PublishedKey {
  /// Whether a text as it is imported is such a key, or words of one. False also for a text that is none, or that needs a password.
  /// - Parameter passphrase: BIP-39's; nil is none. With one, the key is not the words' own.
  public static func isOne(_ text: SecretBox, passphrase: SecretBox? = nil) -> Bool {
    guard let text = try? text.duplicate(), let key = try? KeyText.parsing(text, with: ImportHelp(passphrase: passphrase)) else {
      return false
    }
    return (try? key.isPublished()) == true
  }

  /// Their public keys. In hexadecimal, to be found by a search.
  fileprivate static let all: Set<String> = [
    "17162c921dc4d2518f9a101db33695df1afb56ab82f5ff3e5da6eec3ca5cd917",  // NIP-06
    "d41b22899549e1f3d335a31002cfd382174006e166d3e658e3a5eecdb6463573",
    "7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e",  // NIP-19
    "672a31bfc59d3f04548ec9b7daeeba2f61814e8ccc40448045007f5479f693a3",  // NIP-49
    "611df01bfcf85c26ae65453b772d8f1dfd25c264621c0277e1fc1518686faef9",  // NIP-59
    "166bf3765ebd1fc55decfe395beff2ea3b2a4e0a8946e7eb578512b555737c99",
    "dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659",  // BIP-340
    "dd308afec5777e13121fa72b9cc1b7cc0139715309b086c960e18fd969774eb8",
    "25d1dff95105f5253c4022f628a996ad3a0d95fbf21d468a1b33f8c160d8f517",
    "8318535b54105d4a7aae60c08fc45f9687181b4fdfc625bd1a753fa7397fed75",  // Hardhat
    "ba5734d8f7091719471e7f7ed6b9df170dc70cc661ca05e688601ad984f068b0",
  ]
}

extension KeyText {
  /// Whether everybody knows this key.
  func isPublished() throws(IdentityError) -> Bool {
    let (isKnown, words) = (try keyStep(.outOfMemory) { PublishedKey.all.contains(try KeyPair(key).publicKey.hex) }, words)
    guard !isKnown, !hasPassphrase, let words else { return isKnown }
    return try keyStep(.outOfMemory) { try Mnemonic(words: words.duplicate()).isPublished() }
  }
}
