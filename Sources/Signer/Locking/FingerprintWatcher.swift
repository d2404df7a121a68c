import AuditLog
import Desktop
import Platform
import Vault

/// Watches the fingers enrolled on this machine. When the set changes, the classes for the present fingers are closed.
///
/// The vault compares whenever a slot is shown. In addition, `begin` reads the fingers at the start and whenever the fingerprint
/// service signals a change.
package final class FingerprintWatcher: Sendable {
  private let vault: Vault
  private let signerEvents: SignerEvents
  private let signals = MachineSignals()
  private let isBegun = Locked(false)

  /// The least time between two readings caused by signals, in milliseconds. Any program may send signals.
  private static let pause = 1_000

  init(_ vault: Vault, _ outbox: Outbox, _ signerEvents: SignerEvents) {
    (self.vault, self.signerEvents) = (vault, signerEvents)
    let entry = Locked<OutboxRow?>(nil)
    vault.watchFingers(MachineFingerprints()) { change in
      let row = outbox.row(for: .event(.biometryChanged, rule: AuditRule(clipping: change.what)))
      entry.withLock { $0 = row }
      return [row.change]
    } told: { change in
      if let row = entry.withLock({ $0 }) { outbox.stored(row) }
      Self.tell(change, signerEvents)
    }
  }

  /// Reads the fingers now, and again whenever there is a reason. Does not wait.
  package func begin() {
    isBegun.withLock { $0 = true }
    follow()
  }

  /// Begins to watch after a passkey was added. Without one there is nothing to watch.
  package func follow() {
    guard isBegun.withLock({ $0 }), (try? vault.slots.contains { $0.type == .passkey }) == true else { return }
    signals.listen(for: [.fingersMayHaveChanged]) { [self] _ in
      _ = try? vault.checkFingers()
      _ = isBegun.wait(milliseconds: Self.pause) { $0 ? nil : () }  // waits until it ends, at most this long
    }
    guard SystemThread.startDetached({ [self] in _ = try? vault.checkFingers() }) else { return }
  }

  func stop() {
    isBegun.change { $0 = false }
    signals.stop()
  }

  private static func tell(_ change: FingerprintChange, _ signerEvents: SignerEvents) {
    signerEvents.tell(.incident(Incident(severity: .minor, text: change.sentence, time: Clock.milliseconds)))
    signerEvents.tell(.statusChanged)
  }
}

/// The fingers as the vault sees them: what the fingerprint service reports, and the stored prints where they can be read.
final class MachineFingerprints: FingerprintSource {
  private let service = EnrolledFingerprints()

  func look() -> FingerprintReading {
    switch service.look() {
    case .failure(.noService): return .unknown(.noService)
    case .failure(.noAnswer): return .unknown(.noAnswer)
    case .failure(.nonsense): return .unknown(.nonsense)
    case .success(let readers):
      return Self.set(readers, prints: StoredFingerprints.digest()).map { .seen($0) } ?? .unknown(.nonsense)
    }
  }

  /// - Returns: nil when a reader or finger has an invalid name.
  static func set(_ readers: [FingerprintReader], prints: [UInt8]?) -> FingerprintEnrolment? {
    var known: [FingerprintEnrolment.Reader] = []
    for reader in readers {
      let fingers = reader.fingers.compactMap(FingerprintEnrolment.Finger.init(name:))
      guard fingers.count == reader.fingers.count, let one = FingerprintEnrolment.Reader(name: reader.name, fingers: fingers)
      else {
        return nil
      }
      known.append(one)
    }
    return FingerprintEnrolment(readers: known, prints: prints)
  }
}

extension FingerprintChange {
  /// A few words for the log.
  var what: String {
    if !added.isEmpty { return removed.isEmpty ? "a finger was added" : "fingers were exchanged" }
    if !removed.isEmpty { return "a finger was removed" }
    return arePrintsOthers ? "other prints under the same names" : "a finger moved to another reader"
  }

  /// A sentence for the owner.
  var sentence: String {
    let names = (added + removed).map(\.name).joined(separator: ", ")
    let which = names.isEmpty ? "" : " (\(names))"
    return
      "On this machine \(what)\(which): keys of the class biometric-required are closed until you enrol again with another slot. "
      + (closed.isEmpty
        ? "Give your passphrase or a token: holdfast slot enrol"
        : "Give the recovery kit: holdfast slot enrol --shares-file FILE")
  }
}

extension FingerprintUnknown {
  /// Why the fingers are unknown, in words.
  package var words: String {
    switch self {
    case .notLooked: "nobody has looked yet"
    case .noService: "no fingerprint service (fprintd) answers here"
    case .noAnswer: "the fingerprint service did not answer in time, or with an error"
    case .nonsense: "the fingerprint service answered what cannot be"
    }
  }
}
