import Encodings
import Platform
import SecretMemory
import TestSupport
import Testing

@testable import Vault

@Suite struct SessionStorageTests {
  static func session(expiresAt: Int64 = 2_000_000) throws -> ExportedSession {
    var session = ExportedSession(expiresAt: expiresAt)
    (session.id, session.user, session.device, session.account) = ("s-1", "u-1", "laptop", "0xabc")
    (session.publicKey, session.network, session.server, session.scope) = ("02aa", "main", "https://example.org", "read send")
    for (index, secret) in SessionSecret.allCases.enumerated() {
      session[keyPath: secret.path] = try box(Array("secret \(index)".utf8))
    }
    return session
  }

  private func storage(_ test: TestStore) throws -> SessionStorage { try SessionStorage(in: test.store, service: "wallet") }

  @Test("A session is restored with all twelve fields and its end") func allTwelveFieldsAndTheEndComeBack() throws {
    let test = try TestStore()
    try storage(test).save(Self.session(), under: .whenUnlocked)
    let again = try storage(test).restore(under: .whenUnlocked)
    #expect([again.id, again.user, again.device, again.account] == ["s-1", "u-1", "laptop", "0xabc"])
    #expect([again.publicKey, again.network, again.server, again.scope] == ["02aa", "main", "https://example.org", "read send"])
    for (index, secret) in SessionSecret.allCases.enumerated() {
      #expect(again[keyPath: secret.path].map { $0.withBytes { [UInt8]($0) } } == Array("secret \(index)".utf8))
    }
    #expect(again.expiresAt == 2_000_000)
  }

  @Test("Keys and tokens of a session are separate items") func keysAndTokensAreItemsOfTheirOwn() throws {
    let test = try TestStore()
    try storage(test).save(Self.session(), under: .whenUnlocked)
    let accounts = try test.store.list(service: "wallet").map(\.name.account)
    #expect(accounts == ["access token", "nullifying key", "refresh token", "session", "viewing key"])
    #expect(try storage(test).secret(.viewingKey, under: .whenUnlocked).array() == Array("secret 2".utf8))
  }

  /// The fault of the original: any failure under the strict policy fell through to the store without one.
  @Test(
    "A session is restored only under the policy it was saved with",
    arguments: [
      (ProtectionClass.whenUnlocked, ProtectionClass.afterFirstUnlock), (.afterFirstUnlock, .whenUnlocked),
      (.whenUnlocked, .biometricOrPasscode),
    ])
  func aSessionIsRestoredOnlyUnderThePolicyItWasSavedUnder(saved: ProtectionClass, asked: ProtectionClass) throws {
    let test = try TestStore()
    try storage(test).save(Self.session(), under: saved)
    #expect(throws: SessionStorageError.savedUnder(saved)) { try storage(test).restore(under: asked) }
    #expect(throws: SessionStorageError.savedUnder(saved)) {
      _ = try storage(test).secret(.viewingKey, under: asked)
    }
    #expect(try storage(test).policy() == saved)
  }

  @Test("A locked session is not looked for under another policy") func whatIsLockedIsNotLookedForElsewhere() throws {
    let test = try TestStore()
    try storage(test).save(Self.session(), under: .afterFirstUnlock)
    try storage(test).save(Self.session(), under: .whenUnlocked)
    test.vault.lock()
    #expect(throws: SessionStorageError.store(.interactionNotAllowed)) { try storage(test).restore(under: .whenUnlocked) }
    #expect(throws: SessionStorageError.savedUnder(.whenUnlocked)) { try storage(test).restore(under: .afterFirstUnlock) }
  }

  @Test("Saving under another policy leaves nothing under the old one") func anotherPolicyLeavesNothingUnderTheOldOne() throws {
    let test = try TestStore()
    try storage(test).save(Self.session(), under: .afterFirstUnlock)
    try storage(test).save(Self.session(), under: .whenUnlocked)
    #expect(try test.store.list(service: "wallet").allSatisfy { $0.permissions == .whenUnlocked })
    test.vault.lock()
    for note in try test.store.list(service: "wallet") {
      #expect(throws: KeyStoreError.interactionNotAllowed) { _ = try test.store.retrieve(note.name) }
    }
  }

  @Test("A secret that was removed from a session is removed from the store")
  func aSecretThatIsGoneFromTheSessionIsGoneFromTheStore() throws {
    let test = try TestStore()
    try storage(test).save(Self.session(), under: .whenUnlocked)
    var session = try Self.session()
    session.refreshToken = nil
    try storage(test).save(session, under: .whenUnlocked)
    #expect(try storage(test).restore(under: .whenUnlocked).refreshToken == nil)
    #expect(throws: SessionStorageError.notInSession) { _ = try storage(test).secret(.refreshToken, under: .whenUnlocked) }
  }

  @Test("An expired session is neither restored nor kept") func anEndedSessionIsNeitherGivenBackNorKept() throws {
    let test = try TestStore()
    try storage(test).save(Self.session(), under: .whenUnlocked)
    test.vault.lock()  // nothing has to be opened to wipe it
    test.now.withLock { $0 = 2_000_000 }
    #expect(throws: SessionStorageError.expired(at: 2_000_000)) { try storage(test).restore(under: .whenUnlocked) }
    #expect(try test.store.list(service: "wallet").isEmpty)
    // Setting the clock back does not bring it back.
    test.now.withLock { $0 = 1_500_000 }
    #expect(throws: SessionStorageError.noSession) { try storage(test).restore(under: .whenUnlocked) }
  }

  @Test("An expired session is not saved") func anEndedSessionIsNotSaved() throws {
    let test = try TestStore()
    try storage(test).save(Self.session(), under: .whenUnlocked)
    let old = try Self.session(expiresAt: 1_000_000)
    #expect(throws: SessionStorageError.expired(at: 1_000_000)) { try storage(test).save(old, under: .whenUnlocked) }
    #expect(try storage(test).restore(under: .whenUnlocked).expiresAt == 2_000_000)
  }

  @Test("A clock that is behind restores no session and deletes none")
  func aClockBehindTheSavingGivesNothingBackAndWipesNothing() throws {
    let test = try TestStore()
    try storage(test).save(Self.session(), under: .whenUnlocked)
    test.now.withLock { $0 = 100 }
    #expect(throws: SessionStorageError.clockIsBehind) { try storage(test).restore(under: .whenUnlocked) }
    test.now.withLock { $0 = 1_000_001 }
    #expect(try storage(test).restore(under: .whenUnlocked).id == "s-1")
  }

  @Test("A logout removes everything, even while locked") func aLogoutClearsEverythingAlsoWhileLocked() throws {
    let test = try TestStore()
    try storage(test).save(Self.session(), under: .whenUnlocked)
    test.vault.lock()
    try storage(test).clear()
    try storage(test).clear()
    #expect(try storage(test).policy() == nil)
    #expect(throws: SessionStorageError.noSession) { try storage(test).restore(under: .whenUnlocked) }
  }
}
