extension Command {
  static let vault = Command(
    "vault", "Compare the vault with the log, and accept an older one",
    discussion: """
      The log knows how many changes were made to the vault. A vault.db that has fewer was put back from an older copy: in it an app \
      that you revoked is still paired, and an old passphrase still opens. The signer does not start with it.
      """,
    verbs: [
      Command(
        "check", "Say whether the vault is the one the log knows, and what an older one lacks",
        discussion: "Exit code 0 when it is, 1 when it is not."),
      Command(
        "accept", "Go on with an older vault",
        discussion: """
          Takes your proof. Apps that you revoked since, by the log, are revoked again; all others come back suspended; links, waiting \
          requests and the console's passkeys are dropped. Ways to open the vault that you removed open it again, and a changed \
          passphrase is the old one: change them anew. Everything stays shut until 'holdfast resume'.
          """,
        options: [SharedOptions.yes]),
    ])
}
