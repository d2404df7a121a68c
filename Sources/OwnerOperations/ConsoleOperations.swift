import OwnerAPI
import Platform
import Signer

extension Operations {
  static let consoleHandlers: [OperationHandler] = [
    .init(ConsoleLink.self) { operations, request, call in try operations.consoleLink(request, call) }
  ]

  /// A one-time link for the owner's browser. Only the command line may make one, because a signed-in browser must not be able to
  /// sign in other browsers.
  private func consoleLink(_ request: ConsoleLink.Request, _ call: OperationCall) throws -> ConsoleLink.Response {
    guard call.channel == .command else { throw OperationError(.denied, "Only the command line makes sign-in links.") }
    guard let running else { throw OperationError.needsDaemon }
    if request.isForThisUser, !running.isConsoleHere { throw OperationError.isElsewhere }
    guard let link = running.signInLink(for: request.isForThisUser ? geteuid() : nil) else {
      throw OperationError.failed("The console is not ready yet.", hint: "Try again in a moment.")
    }
    var response = ConsoleLink.Response()
    (response.url, response.expires) = link
    response.isForThisUser = request.isForThisUser ? true : nil
    return response
  }
}

extension OperationError {
  fileprivate static let isElsewhere = failed(
    "The console has an address of its own. Other users of this machine could read a link while the browser starts, and use it first.",
    hint: "Print the link, and open it yourself: holdfast console")
}
