import CommandLine
import OwnerAPI

/// `holdfast identity show`
enum IdentityShowCommand: IdentityCommand {
  typealias Operation = IdentityShow

  static let place = Command(
    "show", "Show one identity",
    arguments: [
      Argument("name", "The identity's name (default: the default identity)", required: false, completion: .names("identities"))
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> IdentityNameOrDefault {
    IdentityNameOrDefault(line.argument("name"))
  }
}
