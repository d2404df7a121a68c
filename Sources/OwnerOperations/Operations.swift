import JSON
package import OwnerAPI
import OwnerWords
package import Signer
import Vault

/// The owner's operations over an opened home. They are the same in the daemon and in a command that opened the vault itself.
package final class Operations: Sendable {
  package let home: OpenedHome
  let services: Services
  /// The running daemon's part. Nil if the command opened the vault itself.
  let running: RunningSigner?
  let logCheck = LogCheck()
  let published = PublishedEvents()
  let people = PeopleNames()

  package init(home: OpenedHome, _ services: Services, running: RunningSigner?) {
    (self.home, self.services, self.running) = (home, services, running)
  }

  /// Performs one operation.
  /// - Parameter request: `noun/verb`, or a verb alone. An error names the missing or wrong member.
  /// - Returns: a JSON object, and the secrets that belong into it.
  package func perform(_ request: ControlRequest, via channel: OwnerChannel) throws(OperationError) -> ControlResult {
    try performing(request, via: channel) { handler, call in marked(try handler.perform(self, call)) }
  }

  /// As `perform`, for a running signer: answers once what was made is of use, perhaps on another thread. A link is, when its relays
  /// hear it. Answers or throws, and either once.
  package func perform(
    _ request: ControlRequest, via channel: OwnerChannel, _ answer: @escaping @Sendable (ControlResult) -> Void
  ) throws(OperationError) {
    try performing(request, via: channel) { handler, call in
      try handler.answer(self, call) { [self] result in answer(marked(result)) }
    }
  }

  private func marked(_ result: ControlResult) -> ControlResult { home.damagedView?.marked(result) ?? result }

  private func performing<Result>(
    _ request: ControlRequest, via channel: OwnerChannel, _ step: (OperationHandler, OperationCall) throws -> Result
  ) throws(OperationError) -> Result {
    guard let properties = OperationTable.properties(of: request.operation) else { throw .noSuchOperation }
    do {
      try checkLook(properties)
      let handler = try handler(of: request, via: channel)
      return try knowingShut {
        if properties.needsUnlocked, home.sessionLock.isLocked { throw OperationError.unlockFirst }
        let call = OperationCall(request, via: channel)
        return try home.sessionLock.from(AttemptOrigin(request, via: channel)) { try step(handler, call) }
      }
    } catch {
      let error = OperationError(error)
      throw error.wantingUnlocking(error.wantsUnlocking && properties.goesOnOnceUnlocked)
    }
  }

  private func handler(of request: ControlRequest, via channel: OwnerChannel) throws -> OperationHandler {
    // A driver is code that runs in this process, so it can only be named on the machine itself.
    if channel == .console, ["module", "new_module"].contains(where: { request.parameters[$0] != nil }) {
      throw OperationError.driverFromAfar
    }
    guard let handler = Self.handlers[request.operation] else { throw OperationError.noSuchOperation }
    return handler
  }

  /// Runs a step. After a lockdown the vault stores nothing, and more than an unlocking is needed: the error says so.
  private func knowingShut<Result>(_ step: () throws -> Result) throws -> Result {
    do { return try step() } catch {
      let error = OperationError(error)
      let isShut = error == .notStored && home.sessionLock.isShut && home.vault.isShut
      guard isShut || [.unlockFirst, .logLocked, .onlyTightening].contains(error), home.sessionLock.isSuspended else {
        throw isShut ? OperationError.unlockFirst : error
      }
      throw home.isTrial ? OperationError.trialIsShut : .lockedDown
    }
  }
}

extension AttemptOrigin {
  fileprivate init(_ request: ControlRequest, via channel: OwnerChannel) {
    let place: Place =
      switch channel {
      case .command: .terminal
      case .desktop: .desktop
      case .console where request.isSignIn: .signInPage
      case .console: .browser(session: request.session ?? "")
      }
    self.init(place, operation: request.operation)
  }
}

extension OperationProperties {
  /// Whether a page may ask for the credential and call again. Not to show something, nor to unlock. And what is approved may look
  /// different once the keys are open, so that the owner looks again first.
  fileprivate var goesOnOnceUnlocked: Bool { !isReadOnly && lane != .unlocking && name != RequestApprove.properties.name }
}

extension OperationError {
  static let driverFromAfar = usage(
    "A browser cannot name a token's driver.", hint: "Use --module on the command line of the signer's machine.")
}
