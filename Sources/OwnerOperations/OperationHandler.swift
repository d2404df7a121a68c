import OwnerAPI

/// Carries out one operation: decodes its typed request, does it, and encodes its typed response.
///
/// Each noun's file lists the handlers of its operations. `Operations.handlers` has all of them:
///
/// ```swift
/// extension Operations {
///   static let pushHandlers: [OperationHandler] = [
///     .init(PushList.self) { operations, _, _ in operations.listPushes() },
///     .init(PushRemove.self) { try $0.removePush($1, $2) },
///   ]
/// }
/// ```
struct OperationHandler: Sendable {
  /// The operation's name in the contract.
  let name: String
  /// Carries it out. The request is decoded first: if a member is missing or wrong, it is refused before anything is done.
  let perform: @Sendable (Operations, OperationCall) throws -> ControlResult
  /// The same, and answers once what it made is of use, perhaps on another thread. Answers or throws, and either once.
  let answer: @Sendable (Operations, OperationCall, @escaping @Sendable (ControlResult) -> Void) throws -> Void

  /// Gets the response when it was made, and passes it on when it is of use.
  typealias Waiting<Response> = @Sendable (Operations, Response, @escaping @Sendable (Response) -> Void) -> Void

  /// - Parameters:
  ///   - perform: gets the operations over the opened home, the request, and the call.
  ///   - waiting: what a running signer waits for before it answers; nothing by default.
  init<Operation: OwnerOperation>(
    _ operation: Operation.Type,
    waiting: @escaping Waiting<Operation.Response> = { _, response, answer in answer(response) },
    _ perform: @escaping @Sendable (Operations, Operation.Request, OperationCall) throws -> Operation.Response
  ) {
    name = operation.properties.name
    let respond: @Sendable (Operations, OperationCall) throws -> Operation.Response = { operations, call in
      try perform(operations, try Operation.request(from: call.request), call)
    }
    self.perform = { Operation.result(try respond($0, $1)) }
    answer = { operations, call, answer in
      waiting(operations, try respond(operations, call)) { answer(Operation.result($0)) }
    }
  }
}

extension Operations {
  /// The handler of each operation, by its name.
  static let handlers: [String: OperationHandler] = {
    let all: [[OperationHandler]] = [
      backupHandlers, clientHandlers, codeHandlers, consoleHandlers, custodyHandlers, guardianHandlers, identityHandlers,
      localHandlers,
      linkHandlers, lockHandlers, logHandlers, newPassphraseHandlers, pairHandlers, peopleHandlers, permissionHandlers,
      permissionTableHandlers,
      policyHandlers,
      previewHandlers, pushHandlers, pushRegistrationHandlers, recoveryHandlers, relayHandlers, requestHandlers, handOverHandlers,
      sessionHandlers, trialHandlers, trialRestoreHandlers,
      signHandlers, slotHandlers, statusHandlers, vaultHandlers,
    ]
    return Dictionary(uniqueKeysWithValues: all.joined().map { ($0.name, $0) })
  }()
}
