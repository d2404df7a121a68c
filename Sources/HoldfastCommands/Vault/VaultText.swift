import CommandLine
import OwnerAPI
import TerminalUI

/// Texts about a vault compared with its log.
enum VaultText {
  /// What an older vault lacks.
  static func missing(_ changes: [MissingChange]) -> String {
    guard !changes.isEmpty else {
      return "The log names no change to apps, keys or ways to open the vault that is missing in it."
    }
    var table = TextTable(["TIME", "WHAT", "APP", "IDENTITY", "DETAIL"])
    for change in changes {
      table.add([
        date(change.time), words(change.entry.rawValue), String((change.app?.name ?? change.app?.pubkey ?? "").prefix(16)),
        change.identity ?? "", change.rule ?? "",
      ])
    }
    return "The log has these changes to apps, keys and ways to open the vault, which are missing in it:\n" + table.text
  }

  /// The name of a log entry in words: "passphraseChanged" is "passphrase changed".
  private static func words(_ name: String) -> String {
    name.reduce(into: "") { words, letter in words += letter.isUppercase ? " " + letter.lowercased() : String(letter) }
  }

  /// What a repair would do, or did.
  static func plan(_ losses: VaultLosses) -> String {
    let log = "The log cannot be gone on with: a new one begins, and the old one is kept beside it."
    return (damaged(losses) + (losses.isLogLost ? [log] : []) + consequences(losses)).joined(separator: "\n")
  }

  static func damaged(_ losses: VaultLosses) -> [String] {
    losses.damaged.map { loss in
      let of = loss.of.map { " of “\(shown($0))”" } ?? ""
      return "\(shown(loss.kind))\(of): \(shown(loss.meaning, limit: 400))"
    }
  }

  static func consequences(_ losses: VaultLosses) -> [String] {
    var lines: [String] = []
    if let doubt = losses.doubt {
      lines = [
        shown(doubt, limit: 400)
          + " So apps are asked for everything, and the settings are the strictest there are. A way to open the vault that you removed may"
          + " be back: holdfast slot list, slot remove, then holdfast slot rotate."
      ]
    }
    return lines
      + [
        (losses.gone, "Identities that are lost"), (losses.renamed, "Identities under made-up names"),
        (losses.derived, "Identities whose keys came again from their words"), (losses.ended, "Apps that have to be paired anew"),
        (losses.revoked, "Apps that you revoked, by the log"), (losses.paused, "Apps that are suspended"),
        (losses.reset, "Apps that are asked for everything"),
      ].compactMap { names, words in names.isEmpty ? nil : "\(words): \(self.names(names))." }
  }

  static func names(_ names: [String]) -> String { names.isEmpty ? "none" : list(names) }
}

extension Noun {
  static let vault = Noun(
    "vault", "Compare the vault with the log, accept an older one, go on without damaged records",
    discussion: """
      The log knows how many changes were made to the vault. A vault.db that has fewer was put back from an older copy: in it an app \
      that you revoked is still paired, and an old passphrase still opens. The signer does not start with it.
      """,
    commands: [VaultCheckCommand.self, VaultAcceptCommand.self, VaultRepairCommand.self])
}
