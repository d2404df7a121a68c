import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// Texts about a vault compared with its log.
enum VaultText {
  /// What an older vault lacks.
  static func missing(_ changes: [MissingChange], _ reader: Reader) -> String {
    guard !changes.isEmpty else {
      return "According to the log, no change to apps, keys or slots is missing."
    }
    var table = TextTable(["TIME", "WHAT", "APP", "IDENTITY", "DETAIL"])
    for change in changes {
      table.add([
        date(change.time), words(change.entry.rawValue), String((change.app?.name ?? change.app?.pubkey ?? "").prefix(16)),
        change.identity ?? "", change.rule ?? "",
      ])
    }
    return "The log has these changes to apps, keys and slots that the vault lacks:\n" + table.text(for: reader)
  }

  /// The name of a log entry in words: "passphraseChanged" is "passphrase changed".
  private static func words(_ name: String) -> String {
    name.reduce(into: "") { words, letter in words += letter.isUppercase ? " " + letter.lowercased() : String(letter) }
  }

  /// What a repair would do, or did.
  static func plan(_ losses: VaultLosses) -> String {
    let log = "The log cannot be used any more: a new one begins, and the old one is kept next to it."
    return (damaged(losses) + (losses.isLogLost ? [log] : []) + consequences(losses)).joined(separator: "\n")
  }

  static func damaged(_ losses: VaultLosses) -> [String] {
    losses.damaged.map { loss in
      let of = loss.of.map { " of “\(foreign($0))”" } ?? ""
      return "\(shown(loss.kind))\(of): \(ours(loss.meaning, limit: 400))"
    }
  }

  static func consequences(_ losses: VaultLosses) -> [String] {
    var lines: [String] = []
    if let doubt = losses.doubt {
      lines = [
        ours(doubt, limit: 400)
          + " So apps ask you for everything, and all settings are the strictest ones. A slot that you removed may"
          + " be back: holdfast slot list, slot remove, then holdfast slot rotate."
      ]
    }
    return lines
      + [
        (losses.gone, "Lost identities"), (losses.renamed, "Identities under made-up names"),
        (losses.derived, "Identities whose keys were derived from their words again"),
        (losses.ended, "Apps that you have to pair again"),
        (losses.revoked, "Apps that the log says you revoked"), (losses.paused, "Paused apps"),
        (losses.reset, "Apps that ask you for everything"),
      ].compactMap { names, words in names.isEmpty ? nil : "\(words): \(self.names(names))." }
  }

  static func names(_ names: [String]) -> String { names.isEmpty ? "none" : list(names) }
}

extension Noun {
  static let vault = Noun(
    "vault", "The vault file",
    discussion: """
      The log knows how many changes were made to the vault. A vault.db with fewer changes was put back from an older copy. In \
      it, an app that you revoked is still paired, and an old passphrase still opens. The signer refuses to start with it.
      """,
    commands: [VaultCheckCommand.self, VaultAcceptCommand.self, VaultRepairCommand.self])
}
