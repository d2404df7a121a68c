package import Curve
import Encodings
import Platform
package import Sockets

/// Which devices are woken for which signer key, and which relays the keys' clients use. Kept in `push.sqlite`.
///
/// Callable from any thread. A change is on the disk when its call returns. Reads look things up by an index, and do not wait for writes.
package final class Registrations: Sendable {
  /// How much is kept.
  package struct Limits: Sendable {
    /// The most clients of one signer key.
    package var clients = 5
    /// The most relays of one client.
    package var relays = ProxyRequest.mostRelays
    /// The most different relays in all pairs of one signer key.
    package var novelRelays = 50
    /// The most devices of one signer key. With one more, the one that was heard of least recently goes.
    package var targets = 10
    /// The most devices of all keys together.
    package var registrations = 1_000_000
    /// The most relays in all pairs of all keys together.
    package var pairs = 2_000_000

    /// The limits of Clave's proxy, and bounds for the whole file.
    package init() {}
  }

  /// How much is kept now.
  package struct Counts: Sendable, Equatable {
    /// Devices, each once for each key that it serves.
    package var targets = 0
    /// Signer keys with a device.
    package var keys = 0
    /// Clients of signer keys.
    package var clients = 0
    /// Relays of clients.
    package var pairs = 0
  }

  /// One device of a signer key.
  package struct Registration: Sendable, Hashable {
    package let target: PushTarget
    /// When the device was first registered, in seconds since 1970.
    package let since: Int64
    /// When it was last registered, in seconds since 1970.
    package let seen: Int64
  }

  struct Reader { let database: any RegistrationsConnection }

  private struct Observers {
    var revision: UInt64 = 0
    var jobs: [@Sendable () -> Void] = []
  }

  let folder: String
  private let lock: ProcessLock
  let writer: Locked<RegistrationsWriter>
  let reader: Locked<Reader>
  /// For the one question that the loop thread asks: it must not wait while all keys are read.
  private let asker: Locked<Reader>
  private let counted: Locked<Counts>
  private let observers = Locked(Observers())
  let trouble = WritingTrouble()

  /// Opens the folder's registrations; makes the file when there is none.
  /// - Parameter folder: is made with mode 0700 when it is not there; its parent must be.
  package convenience init(folder: String, limits: Limits = Limits()) throws(RegistrationsError) {
    try self.init(folder: folder, limits: limits, schema: .current)
  }

  init(folder: String, limits: Limits, schema: RegistrationsSchema) throws(RegistrationsError) {
    self.folder = folder
    lock = try .ofRegistrations(in: folder)
    let file = RegistrationsFile(in: folder, schema: schema)
    let writer = try file.open()
    let counts = try writer.counts()
    self.writer = Locked(RegistrationsWriter(writer, limits, counts))
    reader = Locked(Reader(database: try file.reader()))
    asker = Locked(Reader(database: try file.reader()))
    counted = Locked(counts)
  }
}

// MARK: changes

extension Registrations {
  /// What a signer asks for.
  package struct Change: Sendable {
    package let request: ProxyRequest
    /// The signer that asks.
    package let key: PublicKey
    /// Seconds since 1970.
    package let now: Int64
    /// What showed that it is the signer; nil when no other proxy is to take it.
    package let proof: ProxyProof?
    /// Whether a device may be added. One that is registered already is renewed in any case.
    package var mayAdd = true

    package init(_ request: ProxyRequest, of key: PublicKey, now: Int64, proof: ProxyProof? = nil) {
      (self.request, self.key, self.now, self.proof) = (request, key, now, proof)
    }
  }

  /// What became of a change.
  package struct Result: Sendable, Hashable {
    /// Why it was not made; nil for one that is stored.
    package var refusal: ProxyRefusal?
    /// How many other devices of the key were forgotten for it.
    package var forgotten = 0
    /// Whether it added a device.
    package var isAdded = false
  }

  /// Makes several changes with one write to the disk, in their order.
  /// - Returns: what became of each. What was made is on the disk. When the disk does not take them, none is made.
  package func apply(_ changes: [Change]) -> [Result] {
    do { return try write { writer throws(RegistrationsError) in try writer.apply(changes) } } catch {
      return changes.map { _ in Result(refusal: Self.notStored) }
    }
  }

  private func write<Value>(
    _ body: (inout RegistrationsWriter) throws(RegistrationsError) -> Value
  ) throws(RegistrationsError) -> Value {
    let (result, isNew) = try written { writer throws(RegistrationsError) in
      let result = try body(&writer)
      counted.withLock { $0 = writer.counts }
      return (result, writer.isNew)
    }
    if isNew { changed() }
    return result
  }

  /// Wakes this device from now on for requests to the key.
  package func register(_ target: PushTarget, for key: PublicKey, now: Int64) throws(ProxyRefusal) {
    try one(.register(target), key, now)
  }

  /// A device that is not registered is no error.
  package func unregister(_ target: PushTarget, for key: PublicKey, now: Int64) throws(ProxyRefusal) {
    try one(.unregister(target), key, now)
  }

  /// Replaces the client's relays.
  /// - Throws: `.notRegistered`, `.pairingLimit`, `.novelRelayQuota`, `.notStored` and others.
  package func pair(client: PublicKey, relays: [WebSocketURL], for key: PublicKey, now: Int64) throws(ProxyRefusal) {
    try one(.pair(client, relays: relays), key, now)
  }

  /// A client that is not paired is no error.
  package func unpair(_ client: PublicKey, for key: PublicKey, now: Int64) throws(ProxyRefusal) {
    try one(.unpair(client), key, now)
  }

  /// Removes a device that its push service no longer knows, from all keys.
  /// - Parameter before: seconds since 1970. A device that registered again later stays. Nil removes it whenever it registered.
  /// - Returns: how many registrations were removed, one for each key.
  @discardableResult
  package func forget(_ target: PushTarget, before: Int64? = nil) throws(RegistrationsError) -> Int {
    try write { writer throws(RegistrationsError) in try writer.forget(target, before: before) }
  }

  package func renew(_ target: PushTarget, of key: PublicKey, now: Int64) throws(RegistrationsError) {
    try write { writer throws(RegistrationsError) in try writer.renew(target, of: key, now: now, after: Retention.renewing) }
  }

  package func expire(now: Int64) throws(RegistrationsError) -> Int {
    try write { writer throws(RegistrationsError) in try writer.expire(after: Retention.age, now: now) }
  }

  private func one(_ request: ProxyRequest, _ key: PublicKey, _ now: Int64) throws(ProxyRefusal) {
    if let refusal = apply([Change(request, of: key, now: now)]).first?.refusal { throw refusal }
  }

  private func changed() {
    let jobs = observers.withLock {
      $0.revision += 1
      return $0.jobs
    }
    for job in jobs { job() }
  }

  static let notStored = ProxyRefusal(503, .notStored, "The proxy could not store this. Try again later.")
}

// MARK: reads

extension Registrations {
  /// The devices of a key, the one that was heard of most recently first.
  package func targets(of key: PublicKey) throws(RegistrationsError) -> [Registration] {
    try reader.withLock { reader throws(RegistrationsError) in try reader.database.targets(of: key) }
  }

  /// Whether a signer key has paired this client: one lookup by an index.
  package func isPaired(_ client: PublicKey, with key: PublicKey) throws(RegistrationsError) -> Bool {
    try asker.withLock { asker throws(RegistrationsError) in
      try asker.database.number(
        "SELECT 1 FROM pairs WHERE signer = ?1 AND client = ?2 LIMIT 1", .bytes(key.bytes), .bytes(client.bytes)) == 1
    }
  }

  /// The keys that have a device, in their order.
  package func keys() throws(RegistrationsError) -> [PublicKey] {
    try reader.withLock { reader throws(RegistrationsError) in try reader.database.keys() }
  }

  /// The relays that pairs name, each with the keys that named it. Only keys that have a device.
  package func relays() throws(RegistrationsError) -> [WebSocketURL: [PublicKey]] {
    try reader.withLock { reader throws(RegistrationsError) in try reader.database.relays() }
  }

  /// How much is kept now. Reads nothing from the disk.
  package var counts: Counts { counted.withLock { $0 } }

  /// Grows whenever `keys()` or `relays()` changed.
  package var revision: UInt64 { observers.withLock { $0.revision } }

  /// Calls back after each change of `keys()` or `relays()`, on the thread that made the change.
  package func whenChanged(_ job: @escaping @Sendable () -> Void) { observers.withLock { $0.jobs.append(job) } }
}
