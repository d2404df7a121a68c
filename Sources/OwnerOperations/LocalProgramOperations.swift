import Curve
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
      var request = request
      request.app = try operations.program(request.app)
      return try operations.trustClient(request)
    },
    .init(LocalRevoke.self) { operations, request, _ in try operations.revokeClient(try operations.program(request)) },
  ]

  /// The shortest part of a file's digest that names a program, in hex digits.
  private static let shortestDigest = 8

  private func listPrograms() -> LocalList.Response {
    var response = LocalList.Response()
    response.programs = home.engine.pairings.filter { $0.caller != nil }.map(summary)
    return response
  }

  /// The program that is meant: by the first digits of its file's digest, or as an app is named.
  /// - Returns: the same request with a key that means just that program.
  private func program(_ request: AppRequest) throws -> AppRequest {
    let digits = Self.keyDigits(request.client)
    let isDigest = digits.utf8.count >= Self.shortestDigest && digits.utf8.allSatisfy(Hex.isDigit)
    let found = isDigest ? home.engine.pairings.filter { $0.caller?.digest.hex.hasPrefix(digits) ?? false } : []
    if found.count > 1 { throw OperationError.severalIdentities(found.map { name(ofIdentity: $0.identity) }) }
    if let pairing = found.first { return AppRequest(pairing.remoteSigner.hex) }
    let pairing = try client(request)
    guard pairing.caller != nil else { throw OperationError.noProgram(pairing.name) }
    return request
  }

  /// A program that was not let in yet is not let in by its name: any program can have that name.
  func checkIsMeant(_ pairing: Pairing, _ request: AppTrust.Request) throws {
    guard pairing.grant.isFirstUse, let caller = pairing.caller, !Self.isKey(Self.keyDigits(request.app.client)) else { return }
    throw OperationError.nameOfUnmet(caller, request.trust)
  }
}

extension OperationError {
  fileprivate static func noProgram(_ name: String) -> OperationError {
    .notFound(
      "\(ShownText.quoted(name, limit: 100)) is an app that asks over relays, not a program on this machine.",
      hint: "For apps there is: holdfast client")
  }

  fileprivate static func severalIdentities(_ names: [String]) -> OperationError {
    .failed(
      "That program asked for \(names.count) identities.",
      hint: "Give the program's “signer” from: holdfast local list --json")
  }

  fileprivate static func nameOfUnmet(_ caller: LocalCaller, _ trust: Trust) -> OperationError {
    .failed(
      "That program was not let in yet, and any program can have its name. The one that asked is "
        + "\(ShownText.quoted(caller.path, limit: 400)).",
      hint: "To let in just this file: holdfast local trust \(caller.digest.hex.prefix(16)) \(trust.rawValue)")
  }
}

extension LocalProgram {
  init(_ caller: LocalCaller) {
    self.init()
    (path, sha256, user) = (ShownText.clean(caller.path, limit: 4096), caller.digest.hex, Int64(caller.user))
    (unit, sandbox, isInterpreter) = (caller.unit, caller.sandbox, caller.isInterpreter)
  }
}
