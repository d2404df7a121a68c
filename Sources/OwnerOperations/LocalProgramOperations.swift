import Encodings
import OwnerAPI
import OwnerWords
import RemoteSigning
import Signer

/// The programs on this machine: `local/*`. Each is a pairing, so everything else about them is among `client/*`.
extension Operations {
  static let localHandlers: [OperationHandler] = [
    .init(LocalList.self) { operations, _, _ in operations.listPrograms() },
    .init(LocalTrust.self) { operations, request, _ in
      try operations.checkIsProgram(request.app)
      return try operations.trustClient(request)
    },
    .init(LocalRevoke.self) { operations, request, _ in
      try operations.checkIsProgram(request)
      return try operations.revokeClient(request)
    },
  ]

  private func listPrograms() -> LocalList.Response {
    var response = LocalList.Response()
    response.programs = home.engine.pairings.filter { $0.caller != nil }.map(summary)
    return response
  }

  private func checkIsProgram(_ request: AppRequest) throws {
    let pairing = try client(request)
    guard pairing.caller == nil else { return }
    throw OperationError.notFound(
      "\(ShownText.quoted(pairing.name, limit: 100)) is an app that asks over relays, not a program on this machine.",
      hint: "For apps there is: holdfast client")
  }
}

extension LocalProgram {
  init(_ caller: LocalCaller) {
    self.init()
    (path, sha256, user) = (ShownText.clean(caller.path, limit: 4096), caller.digest.hex, Int64(caller.user))
    (unit, sandbox, isInterpreter) = (caller.unit, caller.sandbox, caller.isInterpreter)
  }
}
