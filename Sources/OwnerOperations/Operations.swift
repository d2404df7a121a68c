package import Curve
import JSON
package import OwnerAPI
package import RemoteSigning
package import Signer
internal import Vault

/// The commands of the owner, over an opened home: the same whether the daemon does them or the command itself.
package final class Operations: Sendable {
  let core: Core
  let services: Services
  /// The running daemon's part. Nil when the command opened the vault itself.
  let running: Running?
  let logCheck = LogCheck()

  package init(core: Core, _ services: Services, running: Running?) {
    (self.core, self.services, self.running) = (core, services, running)
  }

  /// Does one command.
  /// - Parameter request: `noun/verb` or a verb alone; what is missing or wrong in its parameters is told by name.
  /// - Returns: a JSON object, and the secrets that belong into it.
  package func perform(_ request: ControlRequest, via channel: OwnerChannel) throws(OperationError) -> ControlResult {
    guard let properties = OperationTable.properties(of: request.operation) else { throw .noSuchOperation }
    do {
      try checkLook(properties)
      let result = try performKnown(request, via: channel)
      return core.damagedView?.marked(result) ?? result
    } catch { throw OperationError(error) }
  }

  private func performKnown(_ request: ControlRequest, via channel: OwnerChannel) throws -> ControlResult {
    // A driver is code that runs in this process: which one, is said at the machine itself.
    if channel == .console, ["module", "new_module"].contains(where: { request.parameters[$0] != nil }) {
      throw OperationError.driverFromAfar
    }
    if let handler = Self.handlers[request.operation] {
      return try knowingShut { try handler.perform(self, OperationCall(request, via: channel)) }
    }
    let given = Parameters(request, via: channel)
    switch request.operation {
    case "recovery/create": return try createKit(given)
    case "guardian/shares": return try receivedShares(given)
    default: return try knowingShut { ControlResult(try performOpenly(given, request.operation)) }
    }
  }

  /// Runs a step. When everything is shut, the vault stores nothing: the error then says so, and blames no disk.
  private func knowingShut(_ step: () throws -> ControlResult) throws -> ControlResult {
    do { return try step() } catch {
      let error = OperationError(error)
      throw error == .notStored && core.sessionLock.isShut && core.vault.isShut ? .unlockFirst : error
    }
  }

  /// What answers without a secret.
  private func performOpenly(_ given: Parameters, _ operation: String) throws -> JSONValue {
    switch operation {
    case "pair/new": return try makeLink(given)
    case "pair/accept": return try acceptLink(given)
    case "client/list": return listClients()
    case "client/show": return try showClient(given)
    case "client/rename": return try renameClient(given)
    case "client/trust": return try trustClient(given)
    case "client/allow": return try changePermission(given, .allow)
    case "client/deny": return try changePermission(given, .deny)
    case "client/ask": return try changePermission(given, .ask)
    case "client/forget": return try forgetPermission(given)
    case "client/limit": return try limitClient(given)
    case "client/budget": return try budgetClient(given)
    case "policy/show": return try showPolicy(given)
    case "policy/set": return try setPolicy(given)
    case "policy/explain": return try explainPolicy(given)
    case "client/suspend": return try suspendClient(given, true)
    case "client/resume": return try suspendClient(given, false)
    case "client/revoke": return try revokeClient(given)
    case "request/list": return listRequests()
    case "request/show": return try showRequest(given)
    case RequestFeed.operation: throw OperationError.needsDaemon  // the daemon takes it before: its answer may be a minute away
    case "request/approve": return try answerRequests(given, approve: true)
    case "request/deny": return try answerRequests(given, approve: false)
    case "log/show": return try showLog(given)
    case "log/verify": return try verifyLog(given)
    case "log/prove": return try proveEntry(given)
    case "log/export": return try exportLog(given)
    case "log/key": return logKey()
    case "log/checkpoint": return try logCheckpoint()
    case "log/retain": return try retainLog(given)
    case "log/renew":
      throw OperationError.failed(
        "The signer is using the log.", hint: "Stop the signer first. To look at the log now: holdfast log verify")
    default: return try performOfNoun(given, operation)
    }
  }

  /// The operations that a noun's own file takes.
  private func performOfNoun(_ given: Parameters, _ operation: String) throws -> JSONValue {
    switch operation.prefix(while: { $0 != "/" }) {
    case "recovery": return try recoveryOperation(given, operation)
    case "guardian": return try guardianOperation(given, operation)
    case "backup": return try backupOperation(given, operation)
    default: throw OperationError.noSuchOperation
    }
  }
}

/// What an operation needs of the running daemon.
package protocol Running: AnyObject, Sendable {
  /// Records the owner's answer to the waiting request of that name and carries it out.
  /// - Parameter key: for an identity that needs presence, its key for this one use.
  /// - Returns: false when no such request waits, or when it waits on because its key is not there.
  func answer(_ name: String, approve: Bool, key: KeyPair?, via channel: OwnerChannel) -> Bool
  /// Carries out what waits at a pairing and its changed rules decide now.
  /// - Returns: the names of those requests.
  func reconsider(_ remoteSigner: PublicKey) -> [String]
  /// Subscribes on the relays of a fresh `nostrconnect://` pairing, then answers the app there.
  func greet(_ uri: NostrConnectURI, signer: KeyPair)
  /// Calls `ready` once each of these relays hears the present keys, with those that do not after a while.
  func whenListening(on relays: [RelayURL], _ ready: @escaping @Sendable (_ deaf: [RelayURL]) -> Void)
  /// The relays a new link names when the owner named none.
  var linkRelays: [RelayURL] { get }
  /// A link that signs in to the console once, and when it ends in seconds since 1970.
  func signInLink() -> (url: String, expires: Int64)?
  /// Web Push. Nil where nothing is sent.
  var pushes: PushService? { get }
  /// Letters between owners and guardians. Nil where no relay is connected.
  var guardians: GuardianService? { get }
  /// What `status` adds: relays, counts, times. Nil where nobody observes them.
  func report() -> RunningStatus?
}

extension OperationError {
  static let driverFromAfar = usage(
    "A token's driver is not named from a browser.", hint: "Use the command line on the signer's machine: --module")
}
