import Foundation
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import Unlocking

extension Devices {
  @Suite(.serialized) struct KeyringTests {
    private let opener = KeyringOpener()

    private func enrol(pamService: String? = nil) throws -> (SlotDescription, [UInt8]) {
      let made = try KeyringEnrolment.make(pamService: pamService, label: "Holdfast: test")
      return (SlotDescription(id: 4, type: .keyring, parameters: made.parameters), made.secret.array())
    }

    /// A fault that is not waited for.
    private func expectFast(_ expected: [KeyStoreError], _ body: () throws -> Void) {
      let started = DispatchTime.now().uptimeNanoseconds
      do {
        try body()
        Issue.record("no fault")
      } catch { #expect(expected.contains { $0 == error as? KeyStoreError }, "\(error)") }
      let milliseconds = (DispatchTime.now().uptimeNanoseconds - started) / 1_000_000
      #expect(milliseconds < UInt64(Keyring.milliseconds) + 30_000)
    }

    @Test("The keyring gives the slot's secret until the slot is removed")
    func theKeyringGivesTheSecretBackAndIsEmptyAfterwards() throws {
      let session = try DesktopSession()
      try session.startKeyring(password: "pw")
      let (slot, secret) = try enrol()
      #expect(secret.count == 32)
      #expect(try opener.secret(of: slot)?.array() == secret)
      #expect(try opener.secret(of: slot)?.array() == secret)
      try KeyringEnrolment.forget(slot)
      #expect(throws: KeyStoreError.itemNotFound) { _ = try opener.secret(of: slot)?.count }
      #expect(throws: KeyStoreError.itemNotFound) { try KeyringEnrolment.forget(slot) }
    }

    @Test("The keyring opens in a new session only with the right password")
    func itSurvivesANewSessionWithTheRightPasswordOnly() throws {
      var session: DesktopSession? = try DesktopSession()
      let folder = try #require(session?.folder)
      try session?.startKeyring(password: "pw")
      let (slot, secret) = try enrol()
      session = nil
      session = try DesktopSession(folder)
      try session?.startKeyring(password: "wrong")
      expectFast([.interactionNotAllowed, .itemNotFound]) { _ = try opener.secret(of: slot)?.count }
      session?.stopKeyring()
      try session?.startKeyring(password: "pw")
      #expect(try opener.secret(of: slot)?.array() == secret)
    }

    @Test("The keyring contains no key, and neither half opens anything")
    func whatLiesInTheKeyringIsNoKeyAndNeitherHalfOpensAnything() throws {
      let session = try DesktopSession()
      try session.startKeyring(password: "pw")
      let (slot, secret) = try enrol()
      let parameters = try KeyringParameters(slot.parameters)
      // Any program of the user may read it.
      let found = try Keyring.value(of: parameters.itemName).array()
      #expect(try session.lookUp(parameters.itemName).status == 0)
      #expect(found.count == SlotWrap.length)
      for window in 0...(found.count - 32) { #expect(Array(found[window..<window + 32]) != secret) }
      #expect(!slot.parameters.indices.contains { slot.parameters[$0...].starts(with: secret) })
      // The keyring's half with another vault's half.
      let other = KeyringParameters(pamService: "", item: parameters.item, key: [UInt8](repeating: 9, count: 32))
      #expect(throws: KeyStoreError.corrupt("the keyring's item")) {
        _ = try opener.secret(of: SlotDescription(id: 4, type: .keyring, parameters: other.bytes))?.count
      }
    }

    @Test("A slot whose item is given is opened by that item alone, and by no keyring") func givenItem() throws {
      unsetenv("DBUS_SESSION_BUS_ADDRESS")
      unsetenv("XDG_RUNTIME_DIR")
      func made() throws -> (SlotDescription, secret: [UInt8], item: [UInt8]) {
        var item: [UInt8] = []
        let made = try KeyringEnrolment.make { item = $0.withBytes { Array($0) } }
        return (SlotDescription(id: 4, type: .keyring, parameters: made.parameters), made.secret.array(), item)
      }
      let (slot, secret, item) = try made()
      #expect(item.count == SlotWrap.length && secret.count == 32)
      #expect(try KeyringParameters(slot.parameters).isGiven)
      #expect(try KeyringOpener(item: item).secret(of: slot)?.array() == secret)
      var changed = item
      changed[item.count - 1] ^= 1
      for wrong in [try made().item, changed, [], Array(item.dropLast())] {
        // It says nothing about another slot, which may be tried next.
        #expect(throws: KeyStoreError.itemNotFound) { _ = try KeyringOpener(item: wrong).secret(of: slot)?.count }
      }
      #expect(throws: KeyStoreError.itemNotFound) { _ = try opener.secret(of: slot)?.count }
      #expect(throws: KeyStoreError.itemNotFound) { try KeyringEnrolment.forget(slot) }
    }

    @Test("A missing bus or keyring is reported at once") func noBusNoDaemonAndADaemonThatIsGoneAreNamedAtOnce() throws {
      unsetenv("DBUS_SESSION_BUS_ADDRESS")
      unsetenv("XDG_RUNTIME_DIR")
      let parameters = KeyringParameters(
        pamService: "", item: [UInt8](repeating: 1, count: 16), key: [UInt8](repeating: 2, count: 32))
      let slot = SlotDescription(id: 4, type: .keyring, parameters: parameters.bytes)
      expectFast([.notPresent("the desktop's session bus")]) { _ = try opener.secret(of: slot)?.count }
      setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus", 1)
      expectFast([.notPresent("the desktop's session bus"), .notPresent("the keyring")]) {
        _ = try opener.secret(of: slot)?.count
      }
      let session = try DesktopSession()
      expectFast([.notPresent("the keyring")]) { _ = try opener.secret(of: slot)?.count }
      expectFast([.notPresent("the keyring"), .interactionNotAllowed]) { _ = try KeyringEnrolment.make(label: "x").parameters }
      try session.startKeyring(password: "pw")
      let (made, _) = try enrol()
      session.stopKeyring()
      expectFast([.notPresent("the keyring")]) { _ = try opener.secret(of: made)?.count }
      // The bus itself: GLib would end the whole process.
      session.endBus()
      expectFast([.notPresent("the desktop's session bus"), .notPresent("the keyring")]) {
        _ = try opener.secret(of: made)?.count
      }
    }

    /// A bus that takes the connection and says nothing.
    @Test("A bus that does not answer is given up") func aBusThatHangsIsGivenUp() throws {
      let folder = try Folder()
      let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(listener) }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(folder.file("bus").utf8)) }
      let bound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
      }
      try #require(bound == 0 && listen(listener, 4) == 0)
      setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=" + folder.file("bus"), 1)
      defer { unsetenv("DBUS_SESSION_BUS_ADDRESS") }
      let parameters = KeyringParameters(
        pamService: "", item: [UInt8](repeating: 1, count: 16), key: [UInt8](repeating: 2, count: 32))
      expectFast([.deviceFailed("waiting for the keyring", code: 0)]) {
        _ = try opener.secret(of: SlotDescription(id: 4, type: .keyring, parameters: parameters.bytes))?.count
      }
    }

    @Test("The parameters of a keyring slot are read back, and changed ones are refused")
    func parametersAreReadBackAndChangedOnesAreRefused() throws {
      let parameters = KeyringParameters(
        pamService: "login", item: [UInt8](repeating: 1, count: 16), key: [UInt8](repeating: 2, count: 32))
      #expect(try KeyringParameters(parameters.bytes) == parameters)
      for length in parameters.bytes.indices {
        #expect(throws: KeyStoreError.self) { _ = try KeyringParameters(Array(parameters.bytes[..<length])) }
      }
      #expect(throws: KeyStoreError.self) { _ = try KeyringParameters(parameters.bytes + [0]) }
      let evil = KeyringParameters(pamService: "../evil", item: parameters.item, key: parameters.key)
      #expect(throws: KeyStoreError.self) { _ = try KeyringParameters(evil.bytes) }
      let gated = SlotDescription(id: 4, type: .keyring, parameters: parameters.bytes)
      #expect(throws: KeyStoreError.interactionNotAllowed) { _ = try opener.secret(of: gated)?.count }
    }
  }
}
