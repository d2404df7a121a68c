import CommandLine
import TerminalUI

extension Command {
  static let vault = Command(
    "vault", "Compare the vault with the log, accept an older one, go on without damaged records",
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
      Command(
        "repair", "Go on without the records that are damaged",
        discussion: """
          Takes your proof. Says which records do not open, whose they are and what their loss means, and asks. The damaged file is kept \
          beside the new one as vault.db.damaged-TIME. A key whose identity was lost comes back under a made-up name; a key is derived \
          again from its words. All apps come back suspended; links, waiting requests and the console's passkeys are dropped. Where nothing \
          proves that a rule is the latest, the strictest holds until you set it again. Everything stays shut until 'holdfast resume'.

          Before that, a damaged vault can be looked at: lists, 'identity export' and 'backup create' read what is whole.
          """,
        options: [.flag("plan", "Only say what is damaged and what would become of it"), SharedOptions.yes],
        examples: [
          Example("holdfast vault repair --plan", "see what is lost"),
          Example("holdfast vault repair", "go on without it"),
        ]),
    ])
}
