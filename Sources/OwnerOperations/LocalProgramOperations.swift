import Curve
import Encodings
import OwnerAPI
import OwnerWords
import RemoteSigning
import Signer

/// The programs, sites and links on this machine: `local/*`. Each is a pairing, so everything else about them is among `client/*`.
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

  /// Finds the caller that the owner named: by the first digits of a program's file, a site's origin, the callback of links, or the name
  /// or key that every app has.
  /// - Returns: the same request with a key that means just that caller.
  private func program(_ request: AppRequest) throws -> AppRequest {
    let found = callers(request.client)
    if found.count > 1 { throw OperationError.severalCallers(found.map { ($0, name(ofIdentity: $0.identity)) }) }
    if let pairing = found.first { return AppRequest(pairing.remoteSigner.hex) }
    let alike = home.engine.pairings.filter { $0.caller?.name == request.client }
    if alike.count > 1 { throw OperationError.severalCallers(alike.map { ($0, name(ofIdentity: $0.identity)) }) }
    let pairing: Pairing
    do { pairing = try client(request) } catch let error as OperationError where error.exit == .notFound {
      throw callers(LocalCaller.linkMark + request.client).isEmpty ? OperationError.noCaller : .onlyLinks
    }
    guard pairing.caller != nil else { throw OperationError.noProgram(pairing.name) }
    return request
  }

  private func callers(_ name: String) -> [Pairing] {
    let digits = AppNames.keyDigits(name)
    let isDigest = digits.utf8.count >= Self.shortestDigest && digits.utf8.allSatisfy(Hex.isDigit)
    return home.engine.pairings.filter { pairing in
      guard let caller = pairing.caller else { return false }
      if let program = caller.program { return isDigest && program.digest.hex.hasPrefix(digits) }
      return caller.commandName == name
    }
  }

  /// What was not let in yet is not let in by its name: anything can have that name.
  func checkIsMeant(_ pairing: Pairing, _ request: AppTrust.Request) throws {
    guard pairing.grant.isFirstUse, let caller = pairing.caller, !AppNames.isKey(AppNames.keyDigits(request.app.client)) else {
      return
    }
    throw OperationError.nameOfUnmet(caller, request.trust)
  }
}

extension OperationError {
  fileprivate static let noCaller = notFound(
    "No program, site or link has that name.", hint: "To see them: holdfast local list")

  fileprivate static let onlyLinks = notFound(
    "No site of that address has asked. An address means the site in your browser.",
    hint: "For links with answers to it, write link: before the address; to see them: holdfast local list")

  fileprivate static func noProgram(_ name: String) -> OperationError {
    .notFound(
      "\(ShownText.quoted(name, limit: 100)) is an app that asks over relays, not a program on this machine.",
      hint: "For apps there is: holdfast client")
  }

  fileprivate static func severalCallers(_ found: [(pairing: Pairing, identity: String)]) -> OperationError {
    let callers = found.compactMap { found in
      found.pairing.caller.map { "\(kind(of: $0)), for \(ShownText.quoted(found.identity, limit: 100))" }
    }
    return .failed(
      "\(found.count) of those that asked are meant: \(Set(callers).sorted().joined(separator: "; ")).",
      hint: "Give the “signer” of one of them, from: holdfast local list --json")
  }

  /// What asks, and for a site the browser that it says it is in.
  private static func kind(of caller: LocalCaller) -> String {
    switch caller {
    case .program: "the program \(ShownText.quoted(caller.place, limit: 400))"
    case .site(let site): "the site in \(ShownText.quoted(site.browser, limit: 400))"
    case .link: "links with answers to \(ShownText.quoted(caller.place, limit: 400))"
    }
  }

  fileprivate static func nameOfUnmet(_ caller: LocalCaller, _ trust: Trust) -> OperationError {
    let place = ShownText.quoted(caller.place, limit: 400)
    guard let program = caller.program else {
      return .failed(
        "What asked was not let in yet, and anything can have its name. It is \(kind(of: caller)): \(place).",
        hint: "To let in just this: holdfast local trust \(caller.commandName) \(trust.rawValue)")
    }
    return .failed(
      "That program was not let in yet, and any program can have its name. The one that asked is \(place).",
      hint: "To let in just this file: holdfast local trust \(program.digest.hex.prefix(16)) \(trust.rawValue)")
  }
}

extension LocalCaller {
  /// How the owner names it in a command. An address alone always means the site in the browser and never links, because any page can open
  /// a link. For a program this is its path, which commands do not accept as a name.
  fileprivate var commandName: String {
    if case .link(let link) = self { Self.linkMark + link.callback } else { place }
  }

  fileprivate static let linkMark = "link:"
}

extension LocalProgram {
  init(_ program: CallingProgram) {
    self.init()
    (path, sha256, user) = (ShownText.clean(program.path, limit: 4096), program.digest.hex, Int64(program.user))
    (unit, sandbox, isInterpreter) = (program.unit, program.sandbox, program.isInterpreter)
  }
}

extension LocalSite {
  init(_ site: CallingSite) {
    self.init()
    (origin, extensionID) = (site.origin.text, ShownText.clean(site.extensionID, limit: 255))
    browser = ShownText.clean(site.browser, limit: 4096)
  }
}

extension LocalLink {
  init(_ link: CallingLink) {
    self.init()
    callback = link.callback
  }
}
