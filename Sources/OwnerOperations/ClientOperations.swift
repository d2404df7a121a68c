import AuditLog
import Curve
import Encodings
import Nostr
import OwnerAPI
import OwnerWords
import Platform
import RemoteSigning
import Signer

/// The paired apps: `client/*`, except for their permissions.
extension Operations {
  static let clientHandlers: [OperationHandler] = [
    .init(AppList.self) { operations, _, _ in operations.listClients() },
    .init(AppShow.self) { operations, request, _ in operations.detail(try operations.client(request)) },
    .init(AppRename.self) { operations, request, _ in try operations.renameClient(request) },
    .init(AppTrust.self) { operations, request, _ in try operations.trustClient(request) },
    .init(AppPause.self) { operations, request, _ in try operations.pauseClient(request, true) },
    .init(AppResume.self) { operations, request, _ in try operations.pauseClient(request, false) },
    .init(AppRevoke.self) { operations, request, _ in try operations.revokeClient(request) },
  ]

  private func listClients() -> AppList.Response {
    var response = AppList.Response()
    response.clients = home.engine.pairings.map(summary)
    return response
  }

  private func renameClient(_ request: AppRename.Request) throws -> AppDetail {
    let pairing = try client(request.app)
    let name = try freeName(request.name, for: pairing.remoteSigner)
    return try change(pairing, named: nil, as: "renamed") { pairing in pairing.name = name }
  }

  /// The owner's name for an app, cut and cleaned like one that an app gives itself.
  /// - Throws: if another app is called so, in whatever case: the owner would take the one for the other.
  func freeName(_ text: String, for remoteSigner: PublicKey?) throws(OperationError) -> String {
    guard let name = ClientMetadata(name: text).name else { throw .usage("The name has no visible characters.") }
    guard AppName.digits(in: name) == nil else {
      throw .usage("Names like this one are for apps that have none. Choose another.")
    }
    let other = home.engine.pairings.first { $0.remoteSigner != remoteSigner && $0.name.lowercased() == name.lowercased() }
    if let other { throw .appNameTaken(other.name) }
    return name
  }

  /// For a program that was not let in yet, this lets it in.
  func trustClient(_ request: AppTrust.Request) throws -> AppDetail {
    let trust = TrustLevel(request.trust)
    let pairing = try client(request.app)
    try checkIsMeant(pairing, request)
    // No entry of the log says that something changed.
    if trust == pairing.grant.trust, !pairing.grant.isFirstUse { return detail(pairing) }
    let detail = try change(pairing, named: request.app, as: "\(trust.rawValue) trust") { pairing in
      pairing.grant.trust = trust
      pairing.grant.isFirstUse = false
    }
    if pairing.grant.isFirstUse { _ = running?.reconsider(pairing.remoteSigner) }
    return detail
  }

  /// While an app is paused, every use of the key is asked about.
  private func pauseClient(_ request: AppRequest, _ isPaused: Bool) throws -> AppDetail {
    let pairing = try client(request)
    // No entry of the log says that something changed.
    guard pairing.grant.isSuspended != isPaused else {
      var answer = detail(pairing)
      answer.isUnchanged = true
      return answer
    }
    return try change(pairing, named: request, as: isPaused ? "paused" : "resumed") { pairing in
      pairing.grant.isSuspended = isPaused
    }
  }

  func revokeClient(_ request: AppRequest) throws -> AppRevoke.Response {
    let pairing = try wholeNamed(request)
    if home.isUnsure { throw OperationError.unlockFirst }
    guard home.expel(pairing.remoteSigner) else {
      let isThere = home.engine.pairings.contains { $0.remoteSigner == pairing.remoteSigner }
      throw isThere ? OperationError.notStored : Self.leftMeanwhile
    }
    var response = AppRevoke.Response()
    (response.revoked, response.name) = (pairing.client.hex, pairing.name)
    return response
  }

  static let leftMeanwhile = OperationError.notFound(
    "It logged out just now. Nothing was changed.", hint: "If it is listed anew, repeat the command. To see: holdfast client list"
  )

  func name(ofClient key: PublicKey, at remoteSigner: PublicKey) -> String {
    home.engine.pairings.first { $0.remoteSigner == remoteSigner }?.name ?? key.hex
  }

  // MARK: finding and changing

  /// The paired apps by their names.
  var appsByName: AppNames {
    AppNames(apps: home.engine.pairings.map { NamedApp(key: $0.client, remoteSigner: $0.remoteSigner, name: $0.name) })
  }

  /// For what names no paired app.
  static let noPairedApp = "No paired app has that name or key."
  static let namesOfPaired =
    "Give the name or its first \(AppNames.shortestName) letters, or \(AppNames.shortestKey) digits of the key, from: holdfast client list"

  /// Finds a pairing by what names its app; see `AppNames`.
  /// - Parameter inPart: whether the beginning of a name is accepted.
  func client(_ request: AppRequest, inPart: Bool = true) throws -> Pairing {
    let (text, names) = (request.client, appsByName)
    switch names.find(text, inPart: inPart) {
    case .none: throw names.noneFound(text)
    case .tooShort: throw AppNames.tooShort(text)
    case .several(let found): throw AppNames.several(found)
    case .one(let app):
      // The pairing may have ended since its name was found.
      guard let found = home.engine.pairings.first(where: { $0.remoteSigner == app.remoteSigner }) else {
        throw names.noneFound(text)
      }
      if !AppNames.isKey(AppNames.asTyped(text)) { try checkNoneIsAlike(found, text) }
      return found
    }
  }

  /// Of several programs whose files have one name, or sites of one host, the first has that name alone and the others have it with a
  /// number behind it. The owner may mean any of them.
  private func checkNoneIsAlike(_ found: Pairing, _ text: String) throws {
    guard let caller = found.caller, caller.name == text else { return }
    let alike = home.engine.pairings.filter { $0.caller?.name == text }
    guard alike.count > 1 else { return }
    throw OperationError.failed(
      "\(alike.count) of those that ask on this machine can be meant: "
        + alike.map { ShownText.quoted($0.name, limit: 100) }.joined(separator: ", ") + ".",
      hint:
        "Give the \(AppNames.shownDigits) digits of its key from: holdfast client list. To see what each is: holdfast local list")
  }

  /// Changes a pairing in the vault and then in the engine, and notifies the log, the console and the desktop.
  /// - Parameter what: the change in the log's words, without anything that an app said.
  func change(
    _ pairing: Pairing, named request: AppRequest?, as what: String, _ edit: (inout Pairing) throws -> Void
  ) throws -> AppDetail { try change(pairing, named: request, as: { _ in what }, edit) }

  /// - Parameters:
  ///   - request: what named the app, where a beginning of its name is refused if it may do more from now on; nil where it was not typed.
  ///   - what: the words for the log, from the app as it is after the change.
  func change(
    _ pairing: Pairing, named request: AppRequest?, as what: (Pairing) -> String, _ edit: (inout Pairing) throws -> Void
  ) throws -> AppDetail { try change(pairing, named: request, asEach: { [what($0)] }, edit) }

  /// - Parameter whats: the same for several changes, which are made together; the log gets an entry for each.
  func change(
    _ pairing: Pairing, named request: AppRequest?, asEach whats: (Pairing) -> [String], _ edit: (inout Pairing) throws -> Void
  ) throws -> AppDetail {
    let changed = try home.changingPairings {
      // Read again, because another change may have happened meanwhile.
      guard var changed = home.engine.pairings.first(where: { $0.remoteSigner == pairing.remoteSigner }) else {
        throw OperationError.notFound("That app is no longer paired.")
      }
      let before = changed.grant
      try edit(&changed)
      let isLooser = changed.grant.isLooser(than: before)
      if isLooser { try allowMore() }
      if isLooser, let request { try checkIsWhole(request, toAllow: pairing) }
      let entries = whats(changed).map { what in
        AuditEntry.event(.grantChanged, identity: changed.identity, client: changed.client, rule: AuditRule(clipping: what))
      }
      try home.outbox.recording(all: entries) {
        guard home.store.update([changed]) else { throw OperationError.notStored }
      }
      guard home.engine.update(changed.remoteSigner, name: changed.name, grant: changed.grant) else {
        throw OperationError.notStored
      }
      // Uses are counted from now on. The log is not read for earlier ones.
      if changed.grant.counts {
        let time = Clock.milliseconds  // before the counts: a use in between is counted twice rather than never
        let usage = home.engine.usage(of: changed.remoteSigner)
        _ = home.store.save([changed.remoteSigner: usage], countedUpTo: time)
      }
      return changed
    }
    home.signerEvents.tell(.clientsChanged)
    return detail(changed)
  }

  // MARK: describing

  func summary(_ pairing: Pairing) -> AppSummary {
    var summary = AppSummary()
    (summary.pubkey, summary.signer, summary.name) = (pairing.client.hex, pairing.remoteSigner.hex, pairing.name)
    (summary.identity, summary.trust) = (name(ofIdentity: pairing.identity), Trust(pairing.grant.trust))
    (summary.paired, summary.lastSeen, summary.requests) = (pairing.pairedAt, pairing.lastSeen, Int64(pairing.requestCount))
    summary.isPaused = pairing.grant.isSuspended || home.engine.isSuspended
    summary.isFirstUse = pairing.grant.isFirstUse
    switch pairing.caller {
    case .program(let program): summary.program = LocalProgram(program)
    case .site(let site): summary.site = LocalSite(site)
    case .link(let link): summary.link = LocalLink(link)
    case nil: break
    }
    summary.longAnswer = pairing.longAnswer.map { answer in
      var long = LongAnswer()
      (long.bytes, long.at) = (Int64(answer.bytes), answer.at)
      return long
    }
    return summary
  }

  func detail(_ pairing: Pairing) -> AppDetail {
    func texts(_ permissions: some Sequence<Permission>) -> [String] { permissions.map(\.description).sorted() }
    var detail = AppDetail()
    (detail.summary, detail.url) = (summary(pairing), pairing.url)
    (detail.allowed, detail.denied) = (texts(pairing.grant.allowed), texts(pairing.grant.denied))
    (detail.relays, detail.grant) = (pairing.relays.map(\.text), grant(of: pairing))
    return detail
  }
}

extension OperationError {
  fileprivate static func appNameTaken(_ name: String) -> OperationError {
    OperationError(
      .failed, "Another app is called \(ShownText.quoted(name, limit: 100)).",
      hint: "Choose a name by which you can tell the two apart.")
  }
}
