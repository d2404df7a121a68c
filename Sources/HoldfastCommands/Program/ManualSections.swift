import CommandLine

extension ManualPage {
  /// The manual page `holdfast(1)`.
  static func holdfast(version: String) -> String {
    text(for: .holdfast, version: version, sections: [passphrase, .exitStatus, environment, files])
  }

  private static let passphrase = Section(
    "PASSPHRASE",
    text: """
      The passphrase comes from the first of these: --passphrase-file, --passphrase-fd, the systemd credential \
      holdfast-passphrase, and the terminal, which asks without echo. It is never an argument and never an environment \
      variable. One line break at the end is ignored.
      """)

  private static let environment = Section(
    "ENVIRONMENT",
    items: [
      .literal("HOLDFAST_HOME", "The vault's folder. Without it: $XDG_DATA_HOME/holdfast, else ~/.local/share/holdfast."),
      .literal(
        "HOLDFAST_TOKEN_ENVIRONMENT",
        "Names, with commas between them, of further variables that a token's driver needs. It sees only those that drivers usually need."
      ),
      .literal(
        "HOLDFAST_TPM",
        "The TPM that seals device.key: device:/dev/tpmrm1, or swtpm:path=SOCKET for one of software; none for none. Without it: /dev/tpmrm0."
      ),
      .literal("NO_COLOR", "When set: no colours on a terminal."),
    ])

  private static let files = Section(
    "FILES",
    items: [
      .file("vault.db", "The vault: every key, sealed."),
      .file("device.key", "What binds keys to this device, sealed by its TPM where there is one. In no backup."),
      .file("lock", "The process id of the holdfast that has the vault open."),
      .file("control.sock", "Where the command reaches the daemon; for the owner's user id only."),
    ])
}
