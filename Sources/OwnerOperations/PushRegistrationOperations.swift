import Curve
import OwnerAPI
import OwnerWords
import Platform
import PushRegistration
import RemoteSigning
import Signer

/// The push proxy that wakes this device. What it is told follows by itself, in a running signer.
extension Operations {
  static let pushRegistrationHandlers: [OperationHandler] = [
    .init(PushRegister.self) { operations, request, _ in try operations.registerAtProxy(request) },
    .init(PushUnregister.self) { operations, _, _ in try operations.unregisterAtProxy() },
    .init(PushStatus.self) { operations, _, _ in operations.pushStatus() },
  ]

  private func registerAtProxy(_ request: PushRegister.Request) throws -> PushRegistrationState {
    guard !home.isTrial else { throw PushRegistrationError.isTrial }
    let (proxy, device) = (try ProxyAddress(parsing: request.proxy), try PushDevice(parsing: request.device))
    let known = services.registrations.plan
    if known?.proxy != proxy || known?.device != device {
      try services.registrations.set(PushPlan(proxy: proxy, device: device, since: Clock.seconds), now: Clock.seconds)
    } else {
      services.registrations.askAgain(now: Clock.seconds)
    }
    return registrationState
  }

  private func unregisterAtProxy() throws -> PushRegistrationState {
    guard services.registrations.plan != nil else { throw OperationError.notRegistered }
    let named = registrationState.apps.filter { $0.state != .leaving }
    try services.registrations.set(nil, now: Clock.seconds)
    var state = registrationState
    // Those of another proxy or device were leaving already.
    state.apps.removeAll { app in !named.contains { ($0.signer, $0.proxy, $0.since) == (app.signer, app.proxy, app.since) } }
    return state
  }

  private func pushStatus() -> PushStatus.Response {
    var response = PushStatus.Response()
    response.state = registrationState
    guard let plan = services.registrations.plan else { return response }
    response.trouble = ProxyCall(certificates: services.registrations.certificates).trouble(at: plan.proxy)
    (response.isAnswering, response.isServed) = (response.trouble == nil, response.trouble == nil)
    return response
  }

  private var registrationState: PushRegistrationState {
    let plan = services.registrations.plan
    var state = PushRegistrationState()
    (state.proxy, state.host, state.since) = (plan?.proxy.text, plan?.device.host, plan?.since)
    state.isRunning = running != nil
    let (pairings, own) = (home.engine.pairings, ownRelays)
    let names = Dictionary(pairings.map { ($0.remoteSigner, $0.name) }, uniquingKeysWith: { $1 })
    let ending = Set(pairings.filter { own.isSuperset(of: $0.relays.map(\.text)) }.map(\.remoteSigner))
    state.apps = services.registrations.all(now: Clock.seconds)
      .map { RegisteredApp($0, name: names[$0.signer], endsWithSigner: ending.contains($0.signer)) }
      .sorted {
        ($0.state == .leaving ? 1 : 0, $0.name ?? "", $0.signer) < ($1.state == .leaving ? 1 : 0, $1.name ?? "", $1.signer)
      }
    return state
  }

  /// The addresses of the relay that the signer runs itself.
  private var ownRelays: Set<String> {
    let now = (running?.report()?.relays ?? []).filter { $0.state == .embedded }.compactMap { RelayURL($0.url) }
    return Set((running == nil ? usualRelays : now).map(\.text))
  }
}

extension RegisteredApp {
  fileprivate init(_ entry: Registration, name: String?, endsWithSigner: Bool) {
    self.init()
    self.endsWithSigner = endsWithSigner
    (self.name, signer, proxy) = (name, entry.signer.hex, entry.proxy.text)
    state = !entry.isWanted ? .leaving : entry.isSettled ? .registered : .waiting
    (since, error) = (entry.since, entry.error)
    next = entry.isSettled && entry.error == nil ? nil : entry.next
  }
}

extension OperationError {
  static let notRegistered = OperationError(
    .notFound, "No push proxy is named.", hint: "To name one: holdfast push register --proxy URL --device FILE")
}
