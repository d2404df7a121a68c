import Encodings
import Platform

/// The source of readings, and the readings that were not compared yet.
struct FingerprintWatch: Sendable {
  /// More different sets are not kept while the vault is locked: one that differs is enough.
  static let maximumSeen = 8

  struct Observer: Sendable {
    let beside: @Sendable (FingerprintChange) -> [RecordChange]
    let told: @Sendable (FingerprintChange) -> Void
  }

  var source: (any FingerprintSource)?
  var observer: Observer?
  /// Seen since the last comparison, in order.
  var seen: [FingerprintEnrolment] = []
  var last = FingerprintReading.unknown(.notLooked)

  mutating func note(_ sighting: FingerprintReading) {
    last = sighting
    guard case .seen(let set) = sighting, set != seen.last else { return }
    if seen.count == Self.maximumSeen { seen.removeLast() }
    seen.append(set)
  }
}

extension Vault {
  /// From now on the vault looks at the enrolled fingers whenever a slot is shown, and closes `biometricRequired` when they are others
  /// than those it was enrolled with.
  ///
  /// What is not known changes nothing. A vault without a passkey never looks.
  /// - Parameters:
  ///   - beside: says what is stored in the same step as a change. Called within it: must not call the vault.
  ///   - told: called after a change was stored, on the thread that brought it about and without any lock.
  public func watchFingers(
    _ source: any FingerprintSource, beside: @escaping @Sendable (FingerprintChange) -> [RecordChange] = { _ in [] },
    told: @escaping @Sendable (FingerprintChange) -> Void
  ) {
    fingerWatch.withLock { ($0.source, $0.observer) = (source, FingerprintWatch.Observer(beside: beside, told: told)) }
  }

  /// Looks now, and compares where the vault is unlocked. What is seen while it is locked is kept until it is not.
  /// - Throws: `.corrupt`, `.io`, `.closed`.
  @discardableResult
  public func checkFingers() throws(VaultError) -> FingerprintCheck {
    guard try areFingersWatched() else { return .notNeeded }
    lookAtFingers()
    let sighting = lastFingerSighting
    let settled = try attempting.withLock { () throws(VaultError) in
      try withOpen { open throws(VaultError) in
        open.keys.has(.whenUnlocked) ? try settleFingers(&open, with: ClassKeys(), by: nil) : nil
      }
    }
    guard let settled else { return .locked }
    if let change = settled.change {
      tellFingers(change)
      return .changed(change)
    }
    switch sighting {
    case .unknown(let why): return .unknown(why)
    case .seen(let set): return settled.isFirst ? .noted(set) : .same(set)
    }
  }

  /// What the last look showed.
  public var lastFingerSighting: FingerprintReading { fingerWatch.withLock { $0.last } }

  /// The fingers that `biometricRequired` is enrolled with, nil when they were never known.
  /// - Throws: `.locked`, `.corrupt`, `.io`, `.closed`.
  public func enrolledFingers() throws(VaultError) -> FingerprintEnrolment? {
    try withOpen { open throws(VaultError) in try open.fingerRecord(open.keys)?.set }
  }

  private func areFingersWatched() throws(VaultError) -> Bool {
    guard fingerWatch.withLock({ $0.source }) != nil else { return false }
    return try withOpen { open throws(VaultError) in open.header.types.contains(.passkey) }
  }

  /// Asks the source, if there is one and something depends on it.
  func lookAtFingers() {
    guard let source = fingerWatch.withLock({ $0.source }), (try? areFingersWatched()) == true else { return }
    let sighting = source.look()
    fingerWatch.withLock { $0.note(sighting) }
  }

  func tellFingers(_ change: FingerprintChange) { fingerWatch.withLock { $0.observer }?.told(change) }

  /// Compares all readings with the stored set. Does nothing without the whenUnlocked class key.
  /// - Parameter type: the type of the shown slot. Passkeys lose what is closed; a recovery kit keeps it, to enrol again.
  func settleFingers(_ open: inout Open, with shown: ClassKeys, by type: SlotType?) throws(VaultError) -> Settled {
    let keys = open.keys.merging(shown)
    guard keys.has(.whenUnlocked) else { return Settled(keys: shown) }
    let seen = fingerWatch.withLock { watch in
      defer { watch.seen.removeAll() }
      return watch.seen
    }
    do throws(VaultError) {
      let observer = fingerWatch.withLock { $0.observer }
      var settled = try open.settle(seen, keys) { change in observer?.beside(change) ?? [] }
      settled.keys = type == .passkey ? shown.only { !settled.closing.contains($0) } : shown
      return settled
    } catch {
      fingerWatch.withLock { $0.seen = seen + $0.seen }  // compared the next time
      throw error
    }
  }

  /// What a comparison came to.
  struct Settled {
    /// What was shown, without the keys of classes that are closed.
    var keys = ClassKeys()
    /// The classes that passkeys may not be used for, as of now.
    var closing: [ProtectionClass] = []
    var change: FingerprintChange?
    var isFirst = false
  }
}

extension Vault.Open {
  /// What is stored about the fingers.
  /// - Throws: `.locked`, `.corrupt`, `.io`.
  func fingerRecord(_ keys: ClassKeys) throws(VaultError) -> FingerprintRecord? {
    let table = RecordTable(database, header.vaultID, keys, kinds)
    guard try table.protection(.fingerSet, []) != nil else { return nil }
    guard let bytes = try table.value(.fingerSet, []) else { return nil }
    return try FingerprintRecord(bytes)
  }

  fileprivate mutating func settle(
    _ seen: [FingerprintEnrolment], _ keys: ClassKeys, beside: (FingerprintChange) -> [RecordChange]
  ) throws(VaultError) -> Vault.Settled {
    let stored = try fingerRecord(keys)
    var settled = Vault.Settled()
    guard var record = stored ?? seen.first.map({ FingerprintRecord($0) }) else { return settled }
    settled.isFirst = stored == nil
    var difference = FingerprintEnrolment.Difference()
    for set in seen {
      if let found = record.set.difference(from: set) { difference.join(found) }
      record.set = record.set.updated(by: set)
    }
    let inUse = try table.classesInUse()
    let isOther = difference != FingerprintEnrolment.Difference()
    let open = HeaderEditor.enrolledClasses.filter { inUse.contains($0) && header.isUsable($0) }
    record.held = record.held.intersection(open)
    let closing = isOther ? open : Array(record.held)
    let lost = closing.filter { protection in
      !header.slots.contains { $0.type != SlotType.passkey.rawValue && $0.wrap(of: protection) != nil }
    }
    let closed = closing.filter { !lost.contains($0) }
    let fresh = lost.filter { !record.held.contains($0) }
    record.held = Set(lost)
    if isOther, !closed.isEmpty || !fresh.isEmpty {
      settled.change = FingerprintChange(
        added: difference.added.sorted { $0.rawValue < $1.rawValue },
        removed: difference.removed.sorted { $0.rawValue < $1.rawValue },
        arePrintsOthers: difference.arePrintsOthers, closed: closed, held: lost)
    }
    if record != stored || !closed.isEmpty {
      try store(record, closed, keys, inUse, aside: settled.change.map(beside) ?? [])
    }
    held = record.held
    try explainRefusals()
    settled.closing = closing
    return settled
  }

  private mutating func store(
    _ record: FingerprintRecord, _ closed: [ProtectionClass], _ keys: ClassKeys, _ inUse: Set<ProtectionClass>,
    aside: [RecordChange]? = nil
  ) throws(VaultError) {
    var changed: VaultHeader?
    if !closed.isEmpty {
      var editor = try HeaderEditor(header, keys, device: device, inUse: inUse)
      try editor.enrolmentChanged(of: closed)
      changed = try editor.finished()
      epoch &+= 1
    }
    try commit(changed, with: keys, isAside: aside != nil) { (table, inventory) throws(VaultError) in
      try table.put(.fingerSet, [], .bytes(record.bytes), .whenUnlocked, &inventory)
      try table.make(aside ?? [], &inventory)
    }
  }

  /// Holds `biometricRequired` back until another slot than a passkey was shown: which fingers it was enrolled with is not known any more.
  mutating func holdFingers() throws(VaultError) {
    guard header.types.contains(.passkey), let none = FingerprintEnrolment(readers: []) else { return }
    var record = FingerprintRecord((try? fingerRecord(keys))?.set ?? none)
    record.held = Set(HeaderEditor.enrolledClasses)
    try store(record, [], keys, [], aside: [])
    held = record.held
    try explainRefusals()
  }

  /// Opens again what only waited for another slot to be shown.
  /// - Returns: the classes that can be used again.
  mutating func release(by type: SlotType, _ shown: ClassKeys) throws(VaultError) -> [ProtectionClass] {
    let released = held.sorted { $0.rawValue < $1.rawValue }
    guard type != .passkey, type != .keyring, !released.isEmpty, var record = try fingerRecord(keys.merging(shown)) else {
      return []
    }
    record.held = []
    try store(record, [], keys.merging(shown), [])
    held = []
    try explainRefusals()
    return released
  }
}

extension FingerprintEnrolment.Difference {
  /// Adds the result of a further reading. A finger that was added and removed again has changed twice.
  mutating func join(_ other: Self) {
    added.formUnion(other.added)
    removed.formUnion(other.removed)
    isMoved = isMoved || other.isMoved
    arePrintsOthers = arePrintsOthers || other.arePrintsOthers
  }
}
