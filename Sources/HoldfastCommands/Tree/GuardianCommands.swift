import CommandLine
import TerminalUI

extension Command {
  /// `holdfast guardian …`
  static let guardianVerbs: [Command] = [guardian]

  private static let npub = Argument("npub", "The guardian's key")
  private static let shareRequest = Argument("id", "The request, as 'guardian requests' names it")
  private static let relays = CommandOption.repeated(
    "relay", "URL", "A relay where the guardian's Holdfast listens; may be given several times (else the signer's own)")

  static let guardian = Command(
    "guardian", "People who keep a share for you, and shares you keep for others",
    discussion: """
      A guardian's own Holdfast keeps one share of your kit. It is handed over as a sealed Nostr message (NIP-59). Whoever asks for \
      it, you on a new machine or a thief, has to wait, and your old Holdfast hears of it and can stop it. The guardian says yes only \
      after he has spoken to you. Experimental: other programs do not know these messages.

      Both need a running signer with a common relay: holdfast up --relay wss://…
      """,
    verbs: [
      Command(
        "add", "Hand a share to a guardian",
        arguments: [npub],
        options: [
          .value("kit", "ID", "The kit it must be of"),
          .value("share-file", "FILE", "Read the share from a file (else standard input)", completion: .file),
          .value("delay", "TIME", "How long whoever asks for it has to wait, as 72h or 7d (72h)"), relays, SharedOptions.identity,
          SharedOptions.hidden,
        ],
        examples: [Example("holdfast guardian add npub1… --share-file share-2.txt", "hands over one share of a kit")]),
      Command("list", "List your guardians, whether each keeps the share, and which identities' letters are read"),
      Command(
        "code", "Show a kit's request code, and tell it to its guardians",
        discussion: """
          Sixteen letters and digits to keep with your papers. A request that shows them stands before those of strangers, so that nobody \
          keeps yours out by asking often. They open nothing.
          """,
        arguments: [Argument("kit", "The kit's number: four digits or letters")],
        options: [.flag("new", "Make another code in place of the one before")]),
      Command(
        "accept", "Agree to keep a share that waits for your consent",
        discussion: """
          The first share of a kit is kept by itself while you listen. A second one of the same kit waits until you agree, since whoever \
          has the owner's key can send one. So does one of a kit that you removed, and one that came before your vault was restored; \
          after a restore, all that you kept. Call the owner first. It takes your proof. To send it away: holdfast guardian remove
          """,
        arguments: [Argument("id", "Its name, as 'guardian held' shows it")]),
      Command(
        "remove", "Forget a guardian, or wipe a share kept here for somebody",
        discussion: """
          It takes your proof: the passphrase, a token or shares of the recovery kit. Somebody may count on that share; and of requests \
          at a guardian you forgot you hear no more.
          """,
        arguments: [Argument("id", "Its name in the list")],
        options: [SharedOptions.yes]),
      Command(
        "listen", "Let others hand their shares to you, or not",
        discussion: """
          For one identity; 'off' without --identity is for all of them. Relays hear of the identities that listen, and of no others.
          """,
        arguments: [Argument("state", "on or off", completion: .words(["on", "off"]))], options: [SharedOptions.identity]),
      Command(
        "open", "Read the letters of an identity whose key wants you each time, for a while",
        discussion: """
          Such a key is never used on the side: letters wait at the relays until you say who you are. It is closed again when the time is \
          over, and by every lock. A share that is due is given then, too.
          """,
        options: [SharedOptions.identity, .value("for", "TIME", "How long, as 10m; at most 1h (10m)")],
        examples: [Example("holdfast guardian open --identity bob", "reads bob's letters for ten minutes")]),
      Command("held", "List the shares you keep for others"),
      Command("requests", "List who asks for a share you keep, or for yours"),
      Command(
        "release", "Say yes: the share is given when its waiting time is over",
        discussion: """
          Call the owner first. He must know the six digits of the request. It takes your proof: the passphrase, a token or shares of \
          the recovery kit. The waiting time runs while your machine does; the time of day does not count.
          """, arguments: [shareRequest]),
      Command("refuse", "Say no to a request for a share you keep", arguments: [shareRequest]),
      Command("cancel", "Stop a request for your own share: it was not you", arguments: [shareRequest]),
      Command(
        "ask", "Ask a guardian for your share, from a new machine",
        discussion: """
          Needs the guardian's key and the kit's number; the new vault may have any identity. Tell the guardian the six digits \
          that are printed. When enough shares have come: holdfast guardian asked --shares | holdfast recovery restore
          """,
        arguments: [npub, Argument("kit", "The kit's number: four digits or letters")],
        options: [
          .value("note", "TEXT", "A line for the guardian"),
          .value("code", "CODE", "The kit's request code (else asked for at a terminal)"), relays, SharedOptions.identity,
        ]),
      Command(
        "asked", "List what you asked for and what came of it",
        discussion:
          "The shares themselves are printed with your proof only: the passphrase, a token or shares of the recovery kit.",
        options: [
          .flag("shares", "Print the shares that came, one a line"), .value("kit", "ID", "Only those of this kit"),
          .value("guardian", "NPUB", "With --shares: only those of this guardian"),
        ]),
    ])
}
