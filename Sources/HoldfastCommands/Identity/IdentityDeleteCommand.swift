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
      the recovery kit. If nothing else is known to have the key, the identity's name must be typed. If no signer runs, the vault \
      is opened first, to see what it has. Without a terminal, it needs --yes. All apps of the identity are unpaired. Its words are \
      deleted too, unless another identity came from them.
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
    let paired = apps == 0 ? "" : " \(apps == 1 ? "One app is" : "\(apps) apps are") paired with it and will be revoked."
    let name = "“\(foreign(answer.plan?.identity))”"
    let last =
      typedWord(answer) == nil ? "Delete \(name) and its key for good?" : "To delete \(name) and its key for good, type its name:"
    return copies(answer, now) + paired + "\n" + last
  }

  /// A key that nothing else is known to have is deleted only by its name: that is more than one letter by mistake.
  static func typedWord(_ answer: IdentityDelete.Response) -> String? {
    answer.stillIn?.isEmpty == false ? nil : answer.plan?.identity
  }

  static func text(_ answer: IdentityDelete.Response, _ reader: Reader) -> String {
    let apps = answer.deleted?.appsRevoked ?? 0
    let ended = apps == 0 ? "" : " \(apps == 1 ? "One pairing has" : "\(apps) pairings have") ended."
    let other = answer.deleted?.newDefault.map { "\n“\(foreign($0))” is the default identity now: new links sign as it." } ?? ""
    return "Deleted “\(foreign(answer.deleted?.name))”.\(ended)\n\(copies(answer, reader.now))\(other)"
  }

  /// Where copies of the key remain.
  private static func copies(_ answer: IdentityDelete.Response, _ now: Int64) -> String {
    guard let copies = answer.stillIn else {
      return "While the signer is locked, nobody can tell whether a backup or kit has the key."
    }
    guard !copies.isEmpty else {
      if answer.isLogYounger {
        return
          "No backup, kit or export of the key is known here. The log begins after the key was made, so there may be an older one."
      }
      return "No backup, kit or export of the key is known here, so Holdfast knows of nothing that could restore it."
    }
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
