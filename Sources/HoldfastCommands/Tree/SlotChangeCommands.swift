import CommandLine
import TerminalUI

extension Command {
  /// The `slot` commands that make no new slot.
  static let slotChanges = [
    Command(
      "rename", "Give a slot another label",
      arguments: [
        Argument("id", "The slot's number, as 'holdfast slot list' shows it"), Argument("label", "What you call it"),
      ],
      examples: [Example("holdfast slot rename 3 'the blue key'", "for your eyes only")]),
    Command(
      "passphrase", "Change the passphrase",
      discussion: """
        Asks for the passphrase and twice for the new one. The old one opens nothing afterwards, but for copies of the vault that \
        were made before; 'holdfast slot rotate' makes those useless for what comes after.
        """,
      options: [.value("new-passphrase-file", "FILE", "Read the new passphrase from a file", completion: .file)],
      examples: [Example("holdfast slot passphrase", "asks for the old and the new one")]),
    Command(
      "rotate", "Make new keys inside the vault and seal everything anew",
      discussion: """
        For when a slot was removed because somebody else may have what opens it: he may have a copy of the vault, too, and its \
        keys from it. What is in the vault now, and what comes, is sealed under new keys. Your slots stay as they are. What nothing \
        opens that you show keeps its keys, and is named. Show several ways at once to change more: a recovery kit has what a \
        passkey opens, but for what is bound to this device; in the console a passkey can be shown beside the passphrase.
        """,
      examples: [
        Example("holdfast slot rotate", "asks for the passphrase"),
        Example("holdfast slot rotate --passphrase-file pass --shares-file shares.txt", "what passkeys open, too"),
        Example("holdfast slot rotate --passphrase-file pass --token --pin-file pin", "the token's slot gets new keys, too"),
      ]),
    Command(
      "enrol", "Let the present passkeys open what needs the present passkeys and fingers",
      discussion: """
        What is kept under biometric-required opens with the passkeys that were there at the time, while the fingers enrolled on this \
        machine are those of then. After a passkey or a finger was added or removed it is closed, and opens again when the recovery kit \
        gives it to the passkeys there are now. What only the passkeys have opens again when you show a passphrase or a token: \
        no finger can destroy it.
        """,
      options: [.flag("discard", "Remove for good what nobody can open any more, so that the class can be used again")],
      examples: [Example("holdfast slot enrol --shares-file shares.txt", "with enough shares of the recovery kit, one a line")]),
    Command(
      "bind", "Bind the vault to the device it lies on now",
      discussion: """
        For a home folder that was copied from another machine, or lost its device.key. Classes that end in this-device-only are bound \
        to the device.key and the id of the machine they were made on: what was kept under them cannot be opened here, is named, and \
        is removed when you accept that. Then those classes can be used again. If the other machine is still there, use it, or move \
        its keys to another class there.

        A copy of the whole folder has device.key, too: against that the binding is not enforced here, unless the machine's TPM 2.0 \
        seals it. A new vault's is sealed where there is a TPM that you may use (group tss; libtss2-esys and libtss2-tcti-device). For \
        an older vault say --tpm: a new device.key is made and sealed, and everything bound to the device is sealed anew, so that an \
        older copy of device.key opens nothing of it. Show together what opens all of it, as for 'slot rotate'. A disk may keep old \
        blocks of the old vault and device.key. Before the TPM is cleared, or the disk moves to another machine: --no-tpm.

        $HOLDFAST_TPM names another TPM (device:/dev/tpmrm1, or swtpm:path=SOCKET for one of software, which binds to no machine), or \
        none. Anything else is refused.

        Where a TPM is there and fails, no key is given up for it: mend that first, or say --tpm or --no-tpm to give them up all the same.
        """,
      options: [
        .flag("tpm", "Have this machine's TPM seal a new device.key; nothing is lost"),
        .flag("no-tpm", "Make a new device.key that no TPM seals; nothing is lost"), SharedOptions.yes, SharedOptions.acceptLoss,
      ],
      examples: [
        Example("holdfast slot bind", "names what would be lost, if anything, and asks"),
        Example("holdfast slot bind --tpm", "a copy of the folder gives no key of this device any more"),
      ]),
  ]
}
