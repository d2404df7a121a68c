import CommandLine
import CredentialOptions
import OwnerAPI
import ResponseTexts

/// `holdfast identity rotate`
enum IdentityRotateCommand: OwnerCommand {
  typealias Operation = IdentityRotate

  static let place = Command(
    "rotate", "Give an identity a new key, and publish that",
    discussion: """
      Makes a new key from new words. The old key signs a statement that names the new key, and the new key signs its \
      acceptance. The profile, follow list and relay lists are read from the relays and published again under the new key. \
      From then on the old key is retired: requests that ask it for anything are denied. The statement is experimental: no \
      Nostr standard for it exists, and most apps do not know it.

      With --plan, see first what would be done, and what no program can do. Run the command again to send relays what they \
      did not take.
      """,
    arguments: [
      Argument(
        "name", "The identity's name, or the npub of a key whose succession was prepared", completion: .names("identities"))
    ],
    options: [
      .flag("plan", "Only show what would be published where, and what cannot be done"),
      .repeated("relay", "URL", "A relay where the identity is read; may be given several times (default: its relay list)"),
      .value("to", "NAME", "The new identity's name (default: the old one's name with a number)"),
      .flag("compromised", "Publish that others may have the old key; copy what was signed here instead of what relays have"),
      .flag("note", "Also publish a note for people, signed by the old key"),
      .flag("move-apps", "Make a new link for each paired app"),
      .flag("use-succession", "Publish the prepared statement, if the old key cannot sign"), SharedOptions.yesFinally,
    ],
    examples: [
      Example("holdfast identity rotate alice --relay wss://relay.example --plan", "what would happen"),
      Example("holdfast identity rotate alice --compromised --note", "somebody else has the key"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> IdentityRotate.Request {
    if line.has("use-succession"), let other = ["to", "note"].first(where: { line.has($0) }) {
      throw .exclude(option: "use-succession", other: other)
    }
    if let to = line.value("to"), looksLikeHexKey(to) { throw .secretKeyInArguments }
    var request = IdentityRotate.Request()
    request.identity = IdentityName(line.needed("name"))
    request.to = line.value("to")
    request.relays = try line.relays()
    (request.isPlan, request.isCompromised, request.hasNote) = (line.has("plan"), line.has("compromised"), line.has("note"))
    (request.movesApps, request.usesSuccession) = (line.has("move-apps"), line.has("use-succession"))
    return request
  }

  /// Refuses what can be refused before the question: an identity whose relays nobody knows. A rotation that began is only continued.
  static func check(_ line: Invocation) throws(CommandError) {
    guard !line.has("plan"), NextSteps.signerRuns(line) else { return }
    let request = try usage(line) { () throws(UsageError) in try self.request(line, 0) }
    var known = IdentityRotation.Request()
    known.name = request.identity.name
    guard let answer = try askDaemonWhole(IdentityRotation.call(known), home(line)),
      try IdentityRotation.answer(answer).rotations.isEmpty
    else { return }
    try checkBeforeProof(IdentityRotate.call(request), line)
  }

  static let isFinal = true

  static func question(_ line: Invocation) -> String? {
    guard !line.has("plan") else { return nil }
    return "Retire '\(shown(line.needed("name")))' for good and publish that another key replaces it?"
  }

  static func complete(_ request: inout IdentityRotate.Request, _ line: Invocation) throws(CommandError) {
    if !request.isPlan { request.credential = try credential(line) }
  }

  static func text(_ answer: IdentityRotate.Response, _ reader: Reader) -> String { RotationText.rotated(answer) }
}
