import CommandLine

extension ManualPage {
  /// The manual page `holdfast(1)`.
  static func holdfast(version: String) -> String {
    text(for: .holdfast, version: version, sections: [environment, files, examples, seeAlso])
  }

  private static let environment = Section(
    "ENVIRONMENT",
    items: [
      .literal(
        "HOLDFAST_HOME", "The folder of the vault, unless --home names one. If it is not set: \(SharedOptions.usualHome)."),
      .literal(
        "HOLDFAST_TOKEN_ENVIRONMENT",
        "Names of more variables for a token's driver, separated by commas. Without this, a driver sees only those that drivers usually need."
      ),
      .literal(
        "HOLDFAST_TPM",
        "The TPM that seals device.key: device:/dev/tpmrm1, swtpm:path=SOCKET for a software TPM, or none. Default: /dev/tpmrm0."
      ),
      .literal(
        "HOLDFAST_PAGER",
        "The pager for long texts on a terminal: help, log show, request list, policy show and identity receipt. If it is not set, $PAGER or less -FRX. cat means none."
      ),
      .literal("NO_COLOR", "If set, the output has no colours."),
    ])

  private static let examples = Section(
    "EXAMPLES",
    items: [
      .literal("holdfast up \\-\\-trial", "Try it: a signer with a vault that is wiped when it ends."),
      .literal("holdfast init && holdfast up", "A vault of your own, and its signer."),
      .literal("holdfast pair", "A link for an app."),
      .literal("holdfast request watch", "Answer what apps ask, as it comes."),
      .literal("holdfast recovery create", "A kit on paper that brings the keys back."),
    ])

  private static let seeAlso = Section(
    "SEE ALSO",
    text: """
      systemctl(1), loginctl(1), xdg-open(1), pkcs11-tool(1), secret-tool(1), minisign(1)
      The protocol of the apps is NIP-46: https://github.com/nostr-protocol/nips
      """)

  private static let files = Section(
    "FILES",
    items: [
      .file("vault.db", "The vault: all keys, encrypted."),
      .file("device.key", "The device secret. The machine's TPM seals it if there is one. It is in no backup."),
      .file("lock", "The process id of the holdfast process that has the vault open."),
      .file("port", "The port that --listen named last. The next start without --listen uses it, because paired apps know it."),
      .file("app.sock", "The socket by which programs on this machine ask for signatures. Only the owner's user id may use it."),
      .file("control.sock", "The socket by which commands reach the running signer. Only the owner's user id may use it."),
    ])
}
