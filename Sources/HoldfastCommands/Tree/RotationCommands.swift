import CommandLine
import TerminalUI

extension Command {
  static let rotate = Command(
    "rotate", "Give an identity a new key, and say so",
    discussion: """
      Makes a new key from new words; the old key signs a statement that names it, and the new key accepts. Profile, follow list and \
      relay lists are read from the relays and published anew under the new key. From then on the old key is retired: apps that ask \
      it for anything are refused. The statement is experimental: no Nostr standard for this exists, and most apps do not know it.

      See first what would be done, and what no program can do, with --plan. Run it again to offer relays what they did not take.
      """,
    arguments: [Argument("name", "Its name, or the npub of a key whose succession was prepared")],
    options: [
      .flag("plan", "Only say what would be published where, and what cannot be done"),
      .repeated("relay", "URL", "A relay where the identity is read (repeat for more; else those of its relay list)"),
      .value("to", "NAME", "The new identity's name (else the old one's with a number)"),
      .flag("compromised", "Say that others may have the old key; copy what was signed here rather than what relays have"),
      .flag("note", "Publish a note for people, too, signed by the old key"),
      .flag("move-apps", "Make a new link for each paired app"),
      .flag("use-succession", "Publish the statement that was prepared, where the old key cannot sign"), SharedOptions.yes,
    ],
    examples: [
      Example("holdfast identity rotate alice --relay wss://relay.example --plan", "what would happen"),
      Example("holdfast identity rotate alice --compromised --note", "somebody else has the key"),
    ])

  static let rotation = Command(
    "rotation", "Show which keys gave way to which, and what relays took of it",
    arguments: [Argument("name", "One identity only", required: false)])

  static let succession = Command(
    "succession", "Prepare for the day when a key is lost: sign now which key succeeds it",
    discussion: """
      Makes a successor key and signs the statement that names it, to be kept in the vault (and wherever you put a copy of the JSON). \
      It does nothing until it is published: holdfast identity rotate NAME --use-succession. Keep the successor's words apart from \
      this machine. A statement that is kept is shown again; who has it can publish it.
      """,
    arguments: [Argument("name", "Its name")],
    options: [
      .value("to", "NAME", "A name for the successor, or the npub of a key that exists (else a fresh key)"),
      .flag("renew", "Sign another statement in place of the one that is kept"), .flag("show", "Only show the one that is kept"),
    ],
    examples: [Example("holdfast identity succession alice --json > alice-succession.json", "a copy to keep elsewhere")])
}
