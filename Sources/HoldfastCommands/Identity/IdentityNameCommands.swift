import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast identity rename`
enum IdentityRenameCommand: IdentityCommand {
  typealias Operation = IdentityRename

  static let place = Command(
    "rename", "Give an identity another name",
    arguments: [Argument("name", "The identity's name", completion: .names("identities")), Argument("to", "Its new name")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> IdentityRename.Request {
    var request = IdentityRename.Request()
    request.identity = IdentityName(line.needed("name"))
    request.to = line.needed("to")
    return request
  }
}

/// `holdfast identity default`
enum IdentityDefaultCommand: OwnerCommand {
  typealias Operation = IdentityDefault

  static let place = Command("default", "Make an identity the default one", arguments: [IdentityArguments.name])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> IdentityName { IdentityName(line.needed("name")) }

  static func text(_ answer: IdentitySummary, _ reader: Reader) -> String {
    "\(shown(answer.name)) is now the default identity."
  }
}
