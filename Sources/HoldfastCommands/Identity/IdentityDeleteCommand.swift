import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast identity delete`
enum IdentityDeleteCommand: PlannedCommand {
  typealias Operation = IdentityDelete

  static let place = Command(
    "delete", "Delete an identity and its key, for good",
    discussion: """
      Says whether a kit, a backup or an export still has the key, asks for confirmation, and then for the passphrase, a token or \
      the recovery kit. If no signer runs, the vault is opened first, to see what it has. Without a terminal, it needs --yes. All apps of the identity are unpaired. Its words are deleted \
      too, unless another identity came from them.
      """,
    arguments: [IdentityArguments.name], options: [SharedOptions.yesFinally],
    examples: [
      Example("holdfast identity delete bob", "shows what still has the key, asks, and then asks for the passphrase"),
      Example("holdfast identity delete bob --yes --passphrase-file pass", "the same in a script"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> IdentityDelete.Request {
    var request = IdentityDelete.Request()
    request.identity = IdentityName(line.needed("name"))
    return request
  }

  static func check(_ line: Invocation) throws(CommandError) {
    try IdentityArguments.checkExists(line.needed("name"), line)
  }

  static func complete(_ request: inout IdentityDelete.Request, _ line: Invocation) throws(CommandError) {
    request.credential = try credential(line)
  }

  static func plan(_ request: IdentityDelete.Request) -> IdentityDelete.Request {
    var request = request
    request.isPlan = true
    return request
  }

  static func question(_ answer: IdentityDelete.Response, _ now: Int64) -> String? {
    let apps = answer.plan?.apps ?? 0
    let paired = apps == 0 ? "" : " \(apps == 1 ? "One app is" : "\(apps) apps are") paired with it."
    return copies(answer.stillIn, now) + paired + "\nDelete “\(foreign(answer.plan?.identity))” and its key for good?"
  }

  static func text(_ answer: IdentityDelete.Response, _ reader: Reader) -> String {
    let apps = answer.deleted?.appsRevoked ?? 0
    let ended = apps == 0 ? "" : " \(apps == 1 ? "One pairing has" : "\(apps) pairings have") ended."
    let other = answer.deleted?.newDefault.map { "\n“\(foreign($0))” is the default identity now: new links sign as it." } ?? ""
    return "Deleted “\(foreign(answer.deleted?.name))”.\(ended)\n\(copies(answer.stillIn, reader.now))\(other)"
  }

  /// Where copies of the key remain.
  private static func copies(_ copies: [KeyCopy]?, _ now: Int64) -> String {
    guard let copies else { return "While the signer is locked, nobody can tell whether a backup or kit has the key." }
    guard !copies.isEmpty else { return "No backup, kit or export of the key is known here, so nothing could restore it." }
    return "The key is still in: \(copies.map { copy($0, now) }.joined(separator: "; "))."
  }

  private static func copy(_ copy: KeyCopy, _ now: Int64) -> String {
    switch copy.what {
    case "recovery kit": "kit \(shown(copy.kit)) (\(lastTested(copy.lastTested, now)))"
    case "backup": "a backup of \(date(copy.lastTime)), which opens with what opened the vault then"
    case "words": "the words of “\(foreign(copy.of))”, of which it is an account"
    default: "an \(shown(copy.what)) of \(date(copy.lastTime))"
    }
  }
}
