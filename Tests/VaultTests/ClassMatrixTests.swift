import Ciphers
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Vault

/// Every class × every slot × every state of the session: it opens, or is refused by name.
@Suite struct ClassMatrixTests {
  /// What is read when.
  enum State: CaseIterable {
    /// Nobody has opened the vault since the program began.
    case neverUnlocked
    /// Opened by this slot, and nothing else was done.
    case firstUnlocked
    /// Opened by this slot, then locked.
    case locked
    /// Opened by this slot, locked, and unlocked by it again.
    case unlocked
  }

  /// How a class answers to a slot.
  private enum Answer {
    /// Without presence, in every state but the first.
    case always
    /// Without presence, while the session is unlocked.
    case whileUnlocked
    /// By presence, also while locked.
    case present
    /// Not by this slot, whatever is shown.
    case notEntitled
    /// Not in memory, because this slot has no key for it: locked for good.
    case locked
  }

  /// The table. Columns: passphrase, token, passkey, keyring, recovery. Reads as docs/FORMATS.md does; each class of this device
  /// answers as its base, but never to a recovery kit.
  private static let table: [(ProtectionClass, [Answer])] = [
    (.afterFirstUnlock, [.always, .always, .always, .always, .always]),
    (.whenUnlocked, [.whileUnlocked, .whileUnlocked, .whileUnlocked, .locked, .whileUnlocked]),
    (.devicePasscode, [.present, .present, .notEntitled, .notEntitled, .present]),
    (.biometricAny, [.notEntitled, .notEntitled, .present, .notEntitled, .present]),
    (.biometricRequired, [.notEntitled, .notEntitled, .present, .notEntitled, .notEntitled]),
    (.biometricOrPasscode, [.present, .present, .present, .notEntitled, .present]),
    (.afterFirstUnlockThisDeviceOnly, [.always, .always, .always, .always, .locked]),
    (.whenUnlockedThisDeviceOnly, [.whileUnlocked, .whileUnlocked, .whileUnlocked, .locked, .locked]),
    (.devicePasscodeThisDeviceOnly, [.present, .present, .notEntitled, .notEntitled, .notEntitled]),
    (.biometricAnyThisDeviceOnly, [.notEntitled, .notEntitled, .present, .notEntitled, .notEntitled]),
    (.biometricRequiredThisDeviceOnly, [.notEntitled, .notEntitled, .present, .notEntitled, .notEntitled]),
    (.biometricOrPasscodeThisDeviceOnly, [.present, .present, .present, .notEntitled, .notEntitled]),
  ]
  static let slots = [SlotType.passphrase, .token, .passkey, .keyring, .recovery]

  private static func opener(_ type: SlotType) throws -> any SlotOpener {
    type == .passphrase ? try Owner.passphrase() : FixedOpener(type: type, name: 1)
  }

  /// A vault with one slot of each type and one record of each class.
  private static func filledHome() throws -> TemporaryHome {
    let home = TemporaryHome()
    let vault = try home.create()
    for opener in [Owner.token, Owner.keyring, Owner.passkey, Owner.recovery] { try vault.add(opener) }
    let passkey = try vault.present(Owner.passkey, now: 6)
    let passcode = try vault.present(Owner.passphrase(), now: 6)
    for protection in ProtectionClass.allCases {
      let change = RecordChange.put(.itemValue, [protection.rawValue], try box([protection.rawValue]), protection)
      if !protection.needsPresence {
        try vault.transaction([change])
      } else if passkey.classes.contains(protection) {
        try vault.transaction([change], by: passkey)
      } else {
        try vault.transaction([change], by: passcode)
      }
    }
    vault.close()
    return home
  }

  @Test("The table of this test names every class and every slot") func theTableNamesEveryClassAndEverySlot() {
    #expect(Self.table.map(\.0) == ProtectionClass.allCases)
    #expect(Self.table.allSatisfy { $0.1.count == Self.slots.count } && Set(Self.slots) == Set(SlotType.allCases))
  }

  @Test("Each slot opens only the classes that it is entitled to", arguments: slots.indices)
  func eachClassOpensToWhatItIsEntitledAndIsRefusedByName(column: Int) throws {
    let (home, type) = (try Self.filledHome(), Self.slots[column])
    let opener = try Self.opener(type)
    for state in State.allCases {
      let vault = try Vault.open(home: home.path, with: opener, now: 9, kinds: .tests)
      switch state {
      case .neverUnlocked: vault.close()
      case .firstUnlocked: break
      case .locked: vault.lock()
      case .unlocked:
        vault.lock()
        try vault.unlock(with: opener, now: 10)
      }
      for (protection, answers) in Self.table {
        try check(vault, opener, protection, answers[column], state, "\(type) \(protection) \(state)")
      }
      vault.close()
    }
  }

  private func check(
    _ vault: Vault, _ opener: any SlotOpener, _ protection: ProtectionClass, _ answer: Answer, _ state: State, _ place: String
  ) throws {
    let id = [protection.rawValue]
    let bare = Self.outcome { () throws(VaultError) in try vault.secret(kind: .itemValue, id: id) }
    guard state != .neverUnlocked else {
      #expect(bare == .failure(.closed), "\(place)")
      #expect(throws: KeyStoreError.vault(.closed), "\(place)") { _ = try vault.present(opener, now: 11) }
      return
    }
    let presence = try vault.present(opener, now: 11)
    let shown = Self.outcome { () throws(VaultError) in try vault.secret(kind: .itemValue, id: id, by: presence) }
    let value = Result<[UInt8], VaultError>.success(id)
    switch answer {
    case .always: #expect(bare == value && shown == value, "\(place)")
    case .whileUnlocked:
      let wanted = state == .locked ? Result<[UInt8], VaultError>.failure(.locked) : value
      #expect(bare == wanted && shown == wanted, "\(place)")
    case .locked: #expect(bare == .failure(.locked) && shown == .failure(.locked), "\(place)")
    case .present: #expect(bare == .failure(.presenceRequired(protection)) && shown == value, "\(place)")
    case .notEntitled:
      #expect(bare == .failure(.presenceRequired(protection)) && shown == .failure(.notEntitled(protection)), "\(place)")
    }
    // What cannot be read cannot be written either; what it was stays.
    let change = RecordChange.put(.itemValue, id, try box(id), protection)
    let written = Result { () throws(VaultError) in try vault.transaction([change], by: presence) }
    #expect((try? written.get()) == nil || (try? shown.get()) != nil, "\(place)")
    #expect((try? written.get()) != nil || (try? shown.get()) == nil, "\(place)")
  }

  private static func outcome(_ read: () throws(VaultError) -> SecretBytes) -> Result<[UInt8], VaultError> {
    do { return .success(try read().array()) } catch { return .failure(error) }
  }

  /// The table holds by cryptography: no slot has a wrap of a class it may not open.
  @Test("No slot holds a class key that it is not entitled to") func noSlotHasAWrapItIsNotEntitledTo() throws {
    let home = try Self.filledHome()
    let vault = try home.open()
    let header = try vault.withOpen { $0.header }
    for slot in header.slots {
      let type = try #require(SlotType(rawValue: slot.type))
      let column = try #require(Self.slots.firstIndex(of: type))
      for (protection, answers) in Self.table {
        let isLocked = [Answer.locked, .notEntitled].contains { "\($0)" == "\(answers[column])" }
        let enrols = type == .recovery && protection == .biometricRequired
        #expect((slot.wrap(of: protection) != nil) == (!isLocked || enrols), "\(type) \(protection)")
      }
    }
    vault.close()
  }

  @Test("A class that no slot opens is reported as such") func aClassNobodyOpensSaysSo() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    let presence = try vault.present(Owner.passphrase(), now: 1)
    #expect(throws: VaultError.noSlotFor(.biometricAny)) {
      try vault.transaction([.put(.itemValue, [1], try box([1]), .biometricAny)], by: presence)
    }
    #expect(throws: VaultError.presenceRequired(.devicePasscode)) {
      try vault.transaction([.put(.itemValue, [1], try box([1]), .devicePasscode)])
    }
    vault.close()
  }
}
