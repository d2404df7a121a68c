import CommandLine
import TerminalUI

extension Command {
  private static let slotTypes = ["passphrase", "token", "keyring"]

  /// `holdfast slot …`
  static let slotVerbs: [Command] = [
    Command(
      "slot", "The ways to open the vault: list, add, test, change, remove",
      verbs: [
        Command(
          "list", "List what opens the vault, and what each opens",
          examples: [Example("holdfast slot list", "each slot, when it was last used and tested")]),
        addSlot,
        Command(
          "test", "Try whether a slot still opens, and remember when",
          discussion: "Give what opens it: --passphrase-file, --token, --keyring, --shares-file. Nothing is unlocked.",
          arguments: [Argument("id", "The slot's number; without it any that opens", required: false)],
          examples: [
            Example("holdfast slot test --token", "asks for the token's PIN"),
            Example("holdfast slot test 3 --keyring", "is what the keyring has still good for slot 3?"),
          ]),
        Command(
          "remove", "Remove a slot",
          discussion: """
            Needs the passphrase, a token or the recovery kit. Says what would be left to open the vault, and asks; without a terminal \
            it is refused unless you say --yes. Never removes the last slot, nor all but passkeys or the keyring. What lies in the \
            keyring is deleted, too; the key on a token only when the token's PIN is what you show.

            Where it is the only slot that opens some keys, those are named, and nothing is removed unless you accept that they are lost.
            """,
          arguments: [Argument("id", "The slot's number, as 'holdfast slot list' shows it")],
          options: [SharedOptions.yes, SharedOptions.acceptLoss],
          examples: [
            Example("holdfast slot remove 3", "asks for the passphrase, shows what would be left, and asks"),
            Example("holdfast slot remove 3 --yes --passphrase-file pass", "in a script"),
          ]),
      ] + slotChanges)
  ]

  private static let addSlot = Command(
    "add", "Add a way to open the vault",
    discussion: """
      Needs a way there is: the passphrase, a token or the recovery kit.

      A token (TPM, smart card, HSM) makes a key that never leaves it; your PIN opens it, and the token counts wrong PINs. The \
      desktop's keyring opens pairings and settings, never your keys: every program of yours can read \
      an unlocked keyring.

      A gate asks PAM before the slot is used: the login password, a fingerprint. It only answers yes or no to this program; it does \
      not protect the key from somebody who has the vault's file and the token or keyring.
      """,
    arguments: [Argument("type", "What opens it", completion: .words(slotTypes))],
    options: [
      .value("label", "NAME", "What you call it"),
      .value("new-token", "URI", "Which token, as a pkcs11: URI (else the only one there is)"),
      .value("new-pin-file", "FILE", "Read that token's PIN from a file", completion: .file),
      .value("new-passphrase-file", "FILE", "Read the new passphrase from a file", completion: .file),
      .value("gate", "SERVICE", "Ask this PAM service first, as 'login'; for a token or the keyring"),
    ],
    examples: [
      Example("holdfast slot add token --label TPM", "asks for the vault's passphrase and the token's PIN"),
      Example("holdfast slot add keyring", "a wrap in the keyring, its key in the vault"),
      Example("holdfast slot add token --new-token 'pkcs11:token=My%20Key'", "one of several tokens"),
    ])
}
