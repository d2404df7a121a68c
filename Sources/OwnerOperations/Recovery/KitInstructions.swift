import Curve
import Encodings
import Nostr

/// The text on the pages of a kit besides the words: what the shares hold, and the commands that restore it.
///
/// It is made only here, so that paper, terminal and console say the same. The commands work without a change on a machine that
/// has only this program: the tests read them from every page and run them.
struct KitInstructions {
  let kit: RecoveryKit
  /// The identity's name; nil for a kit of the vault.
  let name: String?
  /// The length of what the shares give, in bytes.
  let secretLength: Int

  /// What the combined shares give.
  var holds: String {
    switch kit.content {
    case .slot: return "the key to a vault, 16 random bytes. It contains no Nostr key: the vault or a backup of it is needed too"
    case .key: return "a Nostr secret key (nsec), 32 bytes"
    case .words(_, let account):
      let (wordCount, bytes, path) = (secretLength * 3 / 4, secretLength, "m/44'/1237'/\(account)'/0/0")
      return
        "the entropy of \(wordCount) English BIP-39 words, \(bytes) bytes. The key is derived from the words at \(path) (NIP-06, account \(account)), without a passphrase"
    }
  }

  /// What to do, in order: each step in words, and the command if it has one.
  ///
  /// Each text is one literal, so that the console can look it up in the person's language.
  var steps: [(text: String, command: String?)] {
    [gathering] + runs
  }

  private var gathering: (text: String, command: String?) {
    (
      "Bring together enough sheets of this kit. Any order will do, and the first four letters of each word are enough. The words of one sheet are called a share.\(kit.hasCode ? " Have the recovery code ready, too." : "")",
      nil
    )
  }

  private var runs: [(text: String, command: String?)] {
    switch kit.content {
    case .slot:
      [
        (
          "If you have the machine with the vault, run this in a terminal on it. The sign-in page of its console shows the same under “Forgot the passphrase?”. Type the words of each sheet when it asks for a share\(kit.hasCode ? ", then the recovery code" : ""). Then choose a new passphrase.",
          "holdfast recovery restore\(code)"
        ),
        (
          "If you do not have it, install Holdfast on another machine, and get a backup of the vault. Copy the backup into the folder you are in and name it backup.hfb. If a file that ends in -revoked.hfr lies beside it, the list of apps that were revoked, copy that, too, under its own name. Run this. Press Enter when it asks for the passphrase. Type the words of each sheet when it asks for a share\(kit.hasCode ? ", then the recovery code" : ""). Then choose a new passphrase.",
          "holdfast backup restore backup.hfb\(code)"
        ),
      ]
    case .key, .words:
      [
        (
          "Install Holdfast on a machine. If it has no vault there yet, make one. It asks you to choose a new passphrase.",
          "holdfast init"
        ),
        (
          "Run this. Type the words of each sheet when it asks for a share\(kit.hasCode ? ", then the recovery code" : ""). The command compares the key with the npub and stores no other key.",
          restoreCommand
        ),
      ]
    }
  }

  /// What another program can do with the shares.
  var elsewhere: String {
    switch kit.content {
    case .slot:
      "Another program for SLIP-39 can combine the shares\(kit.hasCode ? " with the recovery code as passphrase" : ""). It gives 16 bytes that are useless without the vault."
    case .key:
      "Another program for SLIP-39 can combine the shares\(kit.hasCode ? " with the recovery code as passphrase" : ""). It gives the 32 bytes of the secret key. A wallet that uses such shares as its own seed (BIP-32) makes other keys from them."
    case .words:
      "Another program for SLIP-39 can combine the shares\(kit.hasCode ? " with the recovery code as passphrase" : ""). It gives the entropy, not the words. Convert it to English BIP-39 words for a program that derives Nostr keys by NIP-06. A wallet that uses such shares as its own seed (BIP-32) makes other keys from them."
    }
  }

  private var code: String { kit.hasCode ? " --recovery-code" : "" }

  private var restoreCommand: String {
    let account = kit.account.map { $0 == 0 ? "" : " --account \($0)" } ?? ""
    return "holdfast recovery restore --identity \(plainName) --npub \(kit.identity?.npub ?? "")\(account)\(code)"
  }

  /// A name that every shell and keyboard can enter. It is the identity's own name if that qualifies. It can be renamed
  /// afterwards.
  private var plainName: String {
    guard let name, let first = name.utf8.first, Self.isLetterOrDigit(first),
      name.utf8.allSatisfy({ Self.isLetterOrDigit($0) || [0x2D, 0x2E, 0x5F].contains($0) }), name.utf8.count <= Self.longestPlain
    else { return "restored" }
    return name
  }

  /// In bytes. A longer name could look like a key, which the command line refuses.
  private static let longestPlain = 24

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }
}
