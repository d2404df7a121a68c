import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast identity rotation`
enum IdentityRotationCommand: OwnerCommand {
  typealias Operation = IdentityRotation

  static let place = Command(
    "rotation", "Show which keys were replaced, and what relays took",
    arguments: [Argument("name", "Only this identity", required: false, completion: .names("identities"))])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> IdentityRotation.Request {
    var request = IdentityRotation.Request()
    request.name = line.argument("name")
    return request
  }

  static func text(_ answer: IdentityRotation.Response, _ reader: Reader) -> String {
    answer.rotations.isEmpty
      ? "No identity was replaced by another key." : answer.rotations.map(RotationText.one).joined(separator: "\n\n")
  }
}

/// `holdfast identity succession`
enum IdentitySuccessionCommand: OwnerCommand {
  typealias Operation = IdentitySuccession

  static let place = Command(
    "succession", "Prepare for the loss of a key: sign now which key replaces it",
    discussion: """
      Makes a successor key and signs the statement that names it. The vault keeps the statement; --json prints a copy to keep \
      elsewhere. It has no effect until you publish it: holdfast identity rotate NAME --use-succession. Keep the successor's \
      words away from this machine. If a statement is kept already, the command shows it again. Anybody who has the statement \
      can publish it.
      """,
    arguments: [Argument("name", "Its name", completion: .names("identities"))],
    options: [
      .value("to", "NAME", "A name for the successor, or the npub of an existing key (default: a new key)"),
      .flag("renew", "Replace the kept statement by a new one"), .flag("show", "Only show the kept statement"),
    ],
    examples: [Example("holdfast identity succession alice --json > alice-succession.json", "a copy to keep elsewhere")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> IdentitySuccession.Request {
    var request = IdentitySuccession.Request()
    request.identity = IdentityName(line.needed("name"))
    request.to = line.value("to")
    (request.renews, request.onlyShows) = (line.has("renew"), line.has("show"))
    return request
  }

  static func complete(_ request: inout IdentitySuccession.Request, _ line: Invocation) throws(CommandError) {
    if !request.onlyShows { request.credential = try credential(line) }
  }

  static func text(_ answer: IdentitySuccession.Response, _ reader: Reader) -> String {
    """
    \(answer.isNew ? "Signed and kept" : "Kept since \(date(answer.made))"): \(RotationText.who(answer.identity)) \
    is succeeded by \(RotationText.who(answer.successor)).

    The statement is not published. If the key is lost or known to others, publish it:
      holdfast identity rotate \(shown(answer.identity.npub)) --use-succession
    To get a copy to keep elsewhere, add --json. Keep the successor's words away from this machine.
    """
  }
}
