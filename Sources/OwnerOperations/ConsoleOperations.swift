internal import JSON
internal import OwnerAPI
internal import Signer

extension Operations {
  /// A one-time link for the owner's browser. Only the command line may make one: a browser that is signed in must not be able to
  /// sign in others.
  func consoleLink(_ given: Parameters) throws -> JSONValue {
    guard given.channel == .command else { throw OperationError(.denied, "Sign-in links are made at the command line.") }
    guard let running else { throw OperationError.needsDaemon }
    guard let link = running.signInLink() else {
      throw OperationError.failed("The console is not ready yet.", hint: "Try again in a moment.")
    }
    return ["url": .string(link.url), "expires": .integer(link.expires)]
  }
}
