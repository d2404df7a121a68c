import OwnerAPI
import Signer

extension Operations {
  static let consoleHandlers: [OperationHandler] = [
    .init(ConsoleLink.self) { operations, _, call in try operations.consoleLink(call) }
  ]

  /// A one-time link for the owner's browser. Only the command line may make one, because a signed-in browser must not be able to
  /// sign in other browsers.
  private func consoleLink(_ call: OperationCall) throws -> ConsoleLink.Response {
    guard call.channel == .command else { throw OperationError(.denied, "Only the command line makes sign-in links.") }
    guard let running else { throw OperationError.needsDaemon }
    guard let link = running.signInLink() else {
      throw OperationError.failed("The console is not ready yet.", hint: "Try again in a moment.")
    }
    var response = ConsoleLink.Response()
    (response.url, response.expires) = link
    return response
  }
}
