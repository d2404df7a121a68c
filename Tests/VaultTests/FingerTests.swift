import Ciphers
import Encodings
import Foundation
import Platform
import SecretMemory
import TestSupport
import Testing

@testable import Vault

/// A fingerprint service that says what the test wants.
final class ScriptedFingers: FingerprintSource {
  private let sighting: Locked<FingerprintReading>
  private let looks = Locked(0)

  init(_ sighting: FingerprintReading) { self.sighting = Locked(sighting) }

  func look() -> FingerprintReading {
    looks.withLock { $0 += 1 }
    return sighting.withLock { $0 }
  }

  func show(_ next: FingerprintReading) { sighting.withLock { $0 = next } }
  var count: Int { looks.withLock { $0 } }
}

func fingers(_ list: FingerprintEnrolment.Finger..., reader: String = "reader", prints: UInt8? = nil) throws -> FingerprintReading
{
  let one = try #require(FingerprintEnrolment.Reader(name: reader, fingers: list))
  return .seen(try #require(FingerprintEnrolment(readers: [one], prints: prints.map { [UInt8](repeating: $0, count: 32) })))
}

/// `biometricRequired` is for the fingers that were enrolled with it, too, as Apple's current set.
@Suite struct FingerTests {
  private static let item: [UInt8] = [1]

  private func vault(
    _ home: TemporaryHome, _ source: ScriptedFingers, _ protection: ProtectionClass = .biometricRequired, hasKit: Bool = true
  ) throws -> Vault {
    let vault = try home.create()
    try vault.add(Owner.passkey)
    if hasKit { try vault.add(Owner.recovery) }
    vault.watchFingers(source) { _ in }
    let presence = try vault.present(Owner.passkey, now: 6)
    try vault.transaction([.put(.itemValue, Self.item, try box([42]), protection)], by: presence)
    return vault
  }

  private func read(_ vault: Vault, _ opener: FixedOpener = Owner.passkey) throws -> [UInt8] {
    let presence = try vault.present(opener, now: 7)
    return try vault.secret(kind: .itemValue, id: Self.item, by: presence).array()
  }

  enum Change: CaseIterable {
    case added, removed, replaced, otherPrints, secondReader

    func sighting() throws -> FingerprintReading {
      switch self {
      case .added: try fingers(.rightThumb, .leftThumb, prints: 1)
      case .removed: try fingers(prints: 1)
      case .replaced: try fingers(.leftThumb, prints: 1)
      case .otherPrints: try fingers(.rightThumb, prints: 2)
      case .secondReader: try fingers(.rightThumb, reader: "another", prints: 1)
      }
    }
  }

  @Test("Changed fingers open nothing until another slot enrols them", arguments: Change.allCases)
  func otherFingersOpenNothingUntilAnotherSlotEnrols(change: Change) throws {
    let home = TemporaryHome()
    let source = ScriptedFingers(try fingers(.rightThumb, prints: 1))
    let vault = try vault(home, source)
    #expect(try read(vault) == [42])
    source.show(try change.sighting())
    #expect(throws: VaultError.biometryChanged) { _ = try read(vault) }
    // What was added is taken away again: that revives nothing.
    source.show(try fingers(.rightThumb, prints: 1))
    #expect(throws: VaultError.biometryChanged) { _ = try read(vault) }
    #expect(throws: VaultError.biometryChanged) { _ = try vault.secret(kind: .itemValue, id: Self.item) }
    for opener: any SlotOpener in [Owner.passkey, try Owner.passphrase()] {
      #expect(throws: KeyStoreError.vault(.notEntitled(.biometricRequired))) { try vault.enrolAnew(by: opener, now: 9) }
    }
    #expect(try vault.enrolAnew(by: Owner.recovery, now: 9).rotated == [.biometricRequired])
    #expect(try read(vault) == [42])
    vault.close()
    let again = try home.open()
    again.watchFingers(source) { _ in }
    #expect(try read(again) == [42])
    again.close()
  }

  @Test("A finger added between two checks is noticed at the next one") func aFingerAddedWhileNobodyLookedIsNoticedAtTheNextLook()
    throws
  {
    let home = TemporaryHome()
    let source = ScriptedFingers(try fingers(.rightThumb))
    try vault(home, source).close()
    source.show(try fingers(.rightThumb, .rightIndexFinger))
    let vault = try home.open()
    let told = Locked<[FingerprintChange]>([])
    vault.watchFingers(source) { _ in
      [.put(.setting, [1], [2])]
    } told: { change in
      #expect((try? vault.value(.setting, id: [1])) == [2], "stored in the same step")
      told.withLock { $0.append(change) }
    }
    guard case .changed(let change) = try vault.checkFingers() else {
      Issue.record("nothing was noticed")
      return
    }
    #expect(change.added == [.rightIndexFinger] && change.removed.isEmpty && change.closed == [.biometricRequired])
    #expect(change.held.isEmpty && told.withLock { $0 } == [change])
    #expect(throws: VaultError.biometryChanged) { _ = try read(vault) }
    vault.close()
    // Enrolled by a kit in the same step in which the change is noticed.
    let other = try home.open()
    source.show(try fingers(.rightThumb, .leftThumb))
    other.watchFingers(source) { _ in }
    #expect(try other.enrolAnew(by: Owner.recovery, now: 9).rotated == [.biometricRequired])
    #expect(try read(other) == [42])
    other.close()
  }

  @Test("A change of fingers that was undone while locked still counts") func whatChangedAndChangedBackWhileLockedCounts() throws
  {
    let home = TemporaryHome()
    let source = ScriptedFingers(try fingers(.rightThumb))
    let vault = try vault(home, source)
    vault.lock()
    source.show(try fingers(.rightThumb, .leftThumb))
    #expect(try vault.checkFingers() == .locked)
    source.show(try fingers(.rightThumb))
    #expect(try vault.checkFingers() == .locked)
    #expect(throws: VaultError.biometryChanged) { _ = try read(vault) }
    vault.close()
  }

  @Test("The fingers are compared even when a passkey is used while locked") func aPasskeyShownWhileLockedIsCompared() throws {
    let home = TemporaryHome()
    let source = ScriptedFingers(try fingers(.rightThumb))
    let vault = try vault(home, source)
    vault.lock()
    #expect(try read(vault) == [42])
    source.show(try fingers(.leftThumb))
    #expect(throws: VaultError.biometryChanged) { _ = try read(vault) }
    vault.close()
  }

  @Test("Unknown fingers change nothing", arguments: FingerprintUnknown.allCases) func whatIsNotKnownChangesNothing(
    why: FingerprintUnknown
  ) throws {
    let home = TemporaryHome()
    let source = ScriptedFingers(try fingers(.rightThumb))
    let vault = try vault(home, source)
    source.show(.unknown(why))
    #expect(try vault.checkFingers() == .unknown(why))
    #expect(try read(vault) == [42])
    source.show(try fingers(.rightThumb))
    #expect(try read(vault) == [42])
    source.show(try fingers(.leftThumb))
    #expect(throws: VaultError.biometryChanged) { _ = try read(vault) }
    vault.close()
  }

  @Test("A fingerprint reader that is unplugged changes nothing") func anUnpluggedReaderChangesNothing() throws {
    let home = TemporaryHome()
    let source = ScriptedFingers(try fingers(.rightThumb))
    let vault = try vault(home, source)
    for sighting in [
      FingerprintReading.seen(try #require(FingerprintEnrolment(readers: []))), try fingers(reader: "a new one, nobody on it"),
    ] {
      source.show(sighting)
      #expect(try read(vault) == [42])
    }
    source.show(try fingers(.rightThumb))
    #expect(try read(vault) == [42])
    // Prints that could be read before and cannot now are not known, either.
    source.show(try fingers(.rightThumb, prints: 3))
    #expect(try read(vault) == [42])
    source.show(try fingers(.rightThumb))
    #expect(try read(vault) == [42])
    source.show(try fingers(.rightThumb, prints: 4))
    #expect(throws: VaultError.biometryChanged) { _ = try read(vault) }
    vault.close()
  }

  /// What only passkeys have is not destroyed by a finger: it waits for another slot.
  @Test(
    "Records that nobody could enrol again are held back, not destroyed",
    arguments: [ProtectionClass.biometricRequired, .biometricRequiredThisDeviceOnly])
  func whatNobodyCouldEnrolAnewIsHeldBack(protection: ProtectionClass) throws {
    let home = TemporaryHome()
    let source = ScriptedFingers(try fingers(.rightThumb))
    let vault = try vault(home, source, protection, hasKit: protection.isThisDeviceOnly)
    source.show(try fingers(.leftThumb))
    guard case .changed(let change) = try vault.checkFingers() else {
      Issue.record("nothing was noticed")
      return
    }
    #expect(change.held == [protection] && change.closed.isEmpty)
    source.show(try fingers(.rightThumb))
    #expect(throws: VaultError.biometryChanged) { _ = try read(vault) }
    vault.close()
    let again = try home.open()
    #expect(throws: VaultError.biometryChanged) { _ = try read(again) }  // also where nobody watches
    #expect(throws: KeyStoreError.vault(.notEntitled(.biometricRequired))) { try again.enrolAnew(by: Owner.passkey, now: 9) }
    #expect(throws: VaultError.biometryChanged) { _ = try read(again) }
    #expect(try again.enrolAnew(by: Owner.passphrase(), now: 9).rotated == [protection])
    #expect(try read(again) == [42])
    again.close()
  }

  /// A kit made after the change gets the key when a passkey is used, and the passkeys lose it in the same step.
  @Test("A recovery kit that is made later takes over what is held back") func aKitMadeLaterTakesWhatIsHeldBack() throws {
    let home = TemporaryHome()
    let source = ScriptedFingers(try fingers(.rightThumb))
    let vault = try vault(home, source, hasKit: false)
    source.show(try fingers(.leftThumb))
    #expect(throws: VaultError.biometryChanged) { _ = try read(vault) }
    try vault.add(Owner.recovery)
    #expect(throws: VaultError.biometryChanged) { _ = try read(vault) }
    let passkey = try #require(try vault.slots.first { $0.type == .passkey })
    #expect(passkey.lacks.contains(.biometricRequired))
    #expect(throws: KeyStoreError.vault(.notEntitled(.biometricRequired))) { try vault.enrolAnew(by: Owner.passphrase(), now: 9) }
    #expect(try vault.enrolAnew(by: Owner.recovery, now: 9).rotated == [.biometricRequired])
    #expect(try read(vault) == [42])
    vault.close()
  }

  /// Who opens only what stays open can neither see nor write the set.
  @Test("The keyring can neither read nor write the set of fingers") func theKeyringDoesNotReachTheSet() throws {
    let home = TemporaryHome()
    let source = ScriptedFingers(try fingers(.rightThumb))
    let vault = try vault(home, source)
    try vault.add(Owner.keyring)
    vault.close()
    let opened = try Vault.open(home: home.path, with: Owner.keyring, now: 10, kinds: .tests)
    #expect(throws: VaultError.locked) { _ = try opened.enrolledFingers() }
    #expect(throws: VaultError.locked) { try opened.transaction([.put(.fingerSet, [], [1], .whenUnlocked)]) }
    opened.close()
  }

  /// The stored earlier set, put back into the file by somebody who can write it.
  @Test("An older set of fingers that was put back is detected") func anOlderSetPutBackIsNoticed() throws {
    let home = TemporaryHome()
    let source = ScriptedFingers(try fingers(.rightThumb))
    try vault(home, source).close()
    let kind = Int64(RecordKind.fingerSet.rawValue)
    var (wrapped, sealed): ([UInt8], [UInt8]) = ([], [])
    try home.edit { database in
      let row = try database.prepare("SELECT wrapped, sealed FROM records WHERE kind = ?")
      try row.bind(1, kind)
      #expect(try row.step())
      (wrapped, sealed) = (row.bytes(0), row.bytes(1))
    }
    source.show(try fingers(.leftThumb))
    let vault = try home.open()
    vault.watchFingers(source) { _ in }
    try vault.checkFingers()
    vault.close()
    try home.edit { database in
      let row = try database.prepare("UPDATE records SET wrapped = ?, sealed = ? WHERE kind = ?")
      try row.bind(1, wrapped)
      try row.bind(2, sealed)
      try row.bind(3, kind)
      _ = try row.step()
    }
    #expect(throws: (any Error).self) { _ = try home.open() }
    try home.edit { database in
      let row = try database.prepare("DELETE FROM records WHERE kind = ?")
      try row.bind(1, kind)
      _ = try row.step()
    }
    #expect(throws: (any Error).self) { _ = try home.open() }
  }

  @Test("Fingers are not checked when there is no passkey") func withoutAPasskeyNobodyLooks() throws {
    let home = TemporaryHome()
    let source = ScriptedFingers(try fingers(.rightThumb))
    let vault = try home.create()
    vault.watchFingers(source) { _ in }
    #expect(try vault.checkFingers() == .notNeeded)
    _ = try vault.verify(with: Owner.passphrase(), now: 5)
    #expect(source.count == 0)
    vault.close()
  }

  @Test("A change of fingers is only noted while the class is empty") func withoutRecordsAChangeIsOnlyNoted() throws {
    let home = TemporaryHome()
    let source = ScriptedFingers(try fingers(.rightThumb))
    let vault = try home.create()
    try vault.add(Owner.passkey)
    vault.watchFingers(source) { _ in Issue.record("told of nothing") }
    guard case .noted = try vault.checkFingers() else {
      Issue.record("not noted")
      return
    }
    source.show(try fingers(.leftThumb))
    guard case .same(let set) = try vault.checkFingers() else {
      Issue.record("not the same")
      return
    }
    #expect(set.fingers == [.leftThumb])
    let presence = try vault.present(Owner.passkey, now: 6)
    try vault.transaction([.put(.itemValue, Self.item, try box([42]), .biometricRequired)], by: presence)
    #expect(try read(vault) == [42])
    vault.close()
  }

  @Test("Fingers are still compared after the class keys are rotated") func classKeysRotateWithTheSet() throws {
    let home = TemporaryHome()
    let source = ScriptedFingers(try fingers(.rightThumb))
    let vault = try vault(home, source)
    try vault.rotateClassKeys(provenBy: [Owner.passphrase(), Owner.passkey], now: 8)
    #expect(try read(vault) == [42])
    source.show(try fingers(.leftThumb))
    #expect(throws: VaultError.biometryChanged) { _ = try read(vault) }
    vault.close()
  }

  // MARK: the set itself

  @Test("A stored set of fingers is read back as it was written") func aSetIsReadAsItWasWritten() throws {
    var random = Repeatable(seed: 29)
    for _ in 0..<500 {
      let readers = try (0..<Int.random(in: 0...4, using: &random)).map { _ in
        let list = FingerprintEnrolment.Finger.allCases.filter { _ in Bool.random(using: &random) }
        let name = String(repeating: "é", count: Int.random(in: 0...128, using: &random))
        return try #require(FingerprintEnrolment.Reader(name: name, fingers: list))
      }
      let prints = Bool.random(using: &random) ? (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) } : nil
      var record = FingerprintRecord(try #require(FingerprintEnrolment(readers: readers, prints: prints)))
      if Bool.random(using: &random) { record.held = [.biometricRequiredThisDeviceOnly] }
      #expect(try FingerprintRecord(record.bytes) == record)
      for length in 0..<record.bytes.count {
        #expect(throws: VaultError.corrupt(what: "finger set")) { _ = try FingerprintRecord(Array(record.bytes.prefix(length))) }
      }
      var later = record.set
      later = later.updated(by: later)
      #expect(later == record.set && record.set.difference(from: later) == nil)
    }
  }

  @Test("One of two readers with the same name may be unplugged") func oneOfTwoReadersThatAreAlikeMayBeUnplugged() throws {
    let one = try #require(FingerprintEnrolment.Reader(name: "alike", fingers: [.leftThumb]))
    let two = try #require(FingerprintEnrolment.Reader(name: "alike", fingers: [.rightThumb]))
    let both = try #require(FingerprintEnrolment(readers: [one, two]))
    for left in [one, two] {
      let alone = try #require(FingerprintEnrolment(readers: [left]))
      #expect(both.difference(from: alone) == nil && both.updated(by: alone) == both)
      #expect(alone.difference(from: both) != nil)
    }
    let third = try #require(FingerprintEnrolment.Reader(name: "alike", fingers: [.leftIndexFinger]))
    let other = try #require(FingerprintEnrolment(readers: [third]))
    #expect(both.difference(from: other) != nil)
  }
}
