import APNs
import Curve
import HTTPClient
import Platform
import Relays
package import Sockets
package import WebPush

/// A whole push proxy: devices register over HTTP, relays are watched, and requests wake devices.
package final class ProxyService: Sendable {
  /// What the operator decides.
  package struct Settings: Sendable {
    /// Where the HTTP service listens.
    package var listening: Listener.Options
    /// What it answers.
    package var server: ProxyServer.Settings
    /// The proxy's own relays, which are asked for all keys.
    package var relays: Set<WebSocketURL>
    /// Access to Apple's service; nil without.
    package var apple: WakeSender.Apple?
    /// How Web Push and UnifiedPush services reach the operator: `mailto:…` or `https://…`.
    package var contact: String
    /// Which addresses of such services are allowed.
    package var web = PushSender.Options()
    /// Threads that check signatures.
    package var threads = 1

    /// Without Apple's service.
    package init(listening: Listener.Options, server: ProxyServer.Settings, relays: Set<WebSocketURL>, contact: String) {
      (self.listening, self.server, self.relays, self.contact) = (listening, server, relays, contact)
    }
  }

  /// How long wakes that wait are sent at the end, in milliseconds.
  static let drainMilliseconds: Int64 = 5_000

  private let settings: Settings
  private let remark: @Sendable (Remark) -> Void
  private let registrations: any RegistrationsStore
  private let loop: EventLoop
  private let watcher: RequestWatcher
  private let sender: WakeSender
  private let desk: WakeDesk
  private let pruning: Pruning
  private let trials: StoreTrials
  private let server: ProxyServer
  private let listener = Locked<Listener?>(nil)
  /// The public half of the key that identifies the proxy to Web Push services, in the form of a browser's `applicationServerKey`.
  package let applicationServerKey: String

  /// Where the registrations are: a folder, or a server with the name of a database.
  package var place: String { registrations.place }

  /// - Parameter remark: takes a line for the operator. What a stranger wrote is cut and cleaned in it. Called on any thread.
  package init(
    _ settings: Settings, _ registrations: any RegistrationsStore, remark: @escaping @Sendable (Remark) -> Void
  ) throws(ProxyServiceError) {
    var settings = settings
    settings.server.wakesApple = settings.apple != nil
    settings.listening.admission = OpenFiles.admission
    let shortage = ShortageRemarks(remark)
    settings.listening.whenShort = { shortage.short() }
    (self.settings, self.registrations, self.remark) = (settings, registrations, remark)
    do {
      let secrets = try registrations.secrets()
      let login = secrets.relayLogin
      let vapid = VAPIDKey(secrets.takeWebPush(), contact: settings.contact)
      applicationServerKey = vapid.publicKey
      loop = try EventLoop()
      trials = StoreTrials(registrations, loop)
      let desk = WakeDesk(registrations)
      let pruning = Pruning(registrations, remark)
      let sender = try Self.sender(settings, vapid, desk, pruning, SendingRemarks(remark))
      desk.use(sender)
      (self.desk, self.pruning) = (desk, pruning)
      let table = RelayTable(own: settings.relays, remark: remark)
      let watcher = Self.watcher(settings, login, registrations, desk, loop, table, RelayRemarks(remark))
      (self.sender, self.watcher) = (sender, watcher)
      server = ProxyServer(settings.server, registrations, table) {
        ProxyFigures(watcher: watcher, table: table, sender: sender, pruning: pruning)
      }
    } catch let error as RegistrationsError { throw .registrations(error) } catch let error as SocketError {
      throw .network(error)
    } catch { throw .noLibrary }
  }

  /// Begins to answer and to watch.
  /// - Returns: the port that was bound.
  package func start() throws(ProxyServiceError) -> UInt16 {
    loop.start()
    watcher.remember((try? registrations.recentClaims(SeenRequests.mostInGeneration)) ?? [])
    registrations.begin(
      .init(
        changed: { [weak watcher] in watcher?.refresh() }, resume: { [desk] in desk.wake($0, $1) },
        takeOver: { [desk] in desk.takeOver() }, token: settings.apple?.token,
        isHearing: { [weak watcher] in watcher?.isHearing ?? false }, remark: remark), now: Clock.seconds)
    watcher.refresh()
    loop.post { [weak self] in self?.expire() }
    loop.post { [trials] in trials.begin() }
    do {
      let listener = try server.listen(on: loop, settings.listening)
      self.listener.withLock { $0 = listener }
      return listener.port
    } catch { throw .network(error) }
  }

  /// Now and then. On the loop thread.
  private func expire() {
    pruning.expire()
    _ = loop.after(milliseconds: Retention.searching) { [weak self] in self?.expire() }
  }

  /// Takes no further requests, answers those that wait, sends the wakes that wait, and ends. Not on the loop thread.
  package func stop() {
    listener.withLock { $0?.stopListening() }
    remark(.news(Self.ending(requests: server.waiting, wakes: sender.waiting, of: registrations.health)))
    registrations.handOver()
    registrations.stopWaiting()
    server.stop()
    watcher.stop()
    let end = Clock.bootMilliseconds + Self.drainMilliseconds
    while sender.waiting > 0, Clock.bootMilliseconds < end { Self.pause() }
    sender.stop()
    pruning.stop()
    trials.stop()
    desk.close()
    registrations.end()
    loop.stop()
  }

  /// What the operator is told when the proxy is asked to end.
  static func ending(requests: Int, wakes: Int, of store: StoreHealth) -> String {
    let hasHeirs = store.isReachable && store.proxies > LiveProxies.watchersOfKey
    return """
      The proxy ends. It takes no further requests, answers those that wait (\(requests)), and sends the wakes that wait (\(wakes)), for \
      \(drainMilliseconds / 1_000) seconds at most.\(hasHeirs ? " Before, it waits 4 seconds until other proxies look after its keys." : "")
      """
  }

  private static func pause() { usleep(10_000) }

  // MARK: the parts

  private static func sender(
    _ settings: Settings, _ vapid: VAPIDKey, _ desk: WakeDesk, _ pruning: Pruning, _ remarks: SendingRemarks
  ) throws -> WakeSender {
    try WakeSender(
      apple: settings.apple, vapid: vapid, web: settings.web,
      hooks: .init(
        settled: { wake, outcome, isOver in
          pruning.settled(wake, outcome)
          remarks.settled(wake, outcome, isOver)
          if isOver { desk.settled(wake) }
        }, gone: { pruning.gone($0, since: $1, isUnregistered: $2) }))
  }

  private static func watcher(
    _ settings: Settings, _ login: KeyPair, _ registrations: any RegistrationsStore, _ desk: WakeDesk, _ loop: EventLoop,
    _ table: RelayTable, _ remarks: RelayRemarks
  ) -> RequestWatcher {
    var options = RequestWatcher.Options(relays: settings.relays, identity: login)
    options.threads = settings.threads
    let (own, allowsInside) = (settings.relays, settings.server.allowsInside)
    var hooks = RequestWatcher.Hooks(
      keys: { Set((try? registrations.keys()) ?? []) }, relays: { relaysByKey(registrations) },
      isPaired: { (try? registrations.isPaired($0, with: $1)) ?? false }, now: { Clock.seconds },
      mayReachInside: { allowsInside || own.contains($0) },
      wake: { found in
        desk.take(found.map { WakeRequest($0.event, for: $0.signer, at: $0.relay.text, now: $0.received) }, now: Clock.seconds)
      })
    hooks.ownChanged = { remarks.changed($0, $1) }
    hooks.planned = { table.planned($0) }
    return RequestWatcher(loop: loop, options: options, hooks: hooks)
  }

  private static func relaysByKey(_ registrations: any RegistrationsStore) -> [PublicKey: [WebSocketURL]] {
    ((try? registrations.relays()) ?? [:]).reduce(into: [:]) { found, relay in
      for key in relay.value { found[key, default: []].append(relay.key) }
    }
  }
}

/// Why a proxy does not start.
package enum ProxyServiceError: Error, Equatable, Sendable {
  case registrations(RegistrationsError)
  case network(SocketError)
  /// libcurl could not be prepared, or there is no memory.
  case noLibrary
}
