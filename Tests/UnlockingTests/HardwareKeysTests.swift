import Ciphers
import Encodings
import Foundation
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import Unlocking

extension Devices {
  @Suite struct HardwareKeysTests {
    private let digest = SHA256.digest(of: Array("a message".utf8))

    private func keys(_ token: TokenURI? = nil, pin: String = SoftHSM.pin) throws -> PKCS11Keys {
      PKCS11Keys(token: token, module: SoftHSM.module, pin: try box(pin))
    }

    @Test("A key on a token can be made, used, found and deleted") func aKeyIsMadeSignsIsFoundAgainAndIsDeleted() throws {
      let token = try SoftHSM()
      defer { withExtendedLifetime(token) {} }
      let keys = try keys()
      #expect(keys.isAvailable)
      let key = try keys.generateKey(label: "test key")
      #expect(key.id.count == 16)
      #expect(try keys.publicKey(of: key.id) == key.publicKey)
      let signature = try keys.sign(digest, with: key.id)
      #expect(key.publicKey.isValid(signature, of: digest))
      #expect(!key.publicKey.isValid(signature, of: SHA256.digest(of: Array("another".utf8))))
      try keys.deleteKey(key.id)
      #expect(throws: KeyStoreError.itemNotFound) { try keys.sign(digest, with: key.id) }
      #expect(throws: KeyStoreError.itemNotFound) { try keys.deleteKey(key.id) }
    }

    @Test("Two keys on a token are different") func twoKeysAreTwo() throws {
      let token = try SoftHSM()
      defer { withExtendedLifetime(token) {} }
      let keys = try keys()
      let (first, second) = (try keys.generateKey(label: "a"), try keys.generateKey(label: "a"))
      #expect(first.id != second.id && first.publicKey != second.publicKey)
      #expect(first.publicKey.isValid(try keys.sign(digest, with: first.id), of: digest))
      #expect(second.publicKey.isValid(try keys.sign(digest, with: second.id), of: digest))
    }

    @Test("Another program with the PIN cannot read the key") func anotherProgramWithThePINCannotTakeTheKeyOut() throws {
      let token = try SoftHSM()
      let key = try keys().generateKey(label: "kept")
      let read = try run(
        "pkcs11-tool",
        [
          "--module", SoftHSM.module, "--login", "--pin", SoftHSM.pin, "--read-object", "--type", "privkey", "--id", key.id.hex,
          "--output-file", token.folder.file("stolen"),
        ])
      #expect(read.status != 0 || !FileManager.default.fileExists(atPath: token.folder.file("stolen")), "\(read.output)")
      let list = try run("pkcs11-tool", ["--module", SoftHSM.module, "--login", "--pin", SoftHSM.pin, "-O", "--type", "privkey"])
      #expect(list.output.contains("never extractable") && list.output.contains("always sensitive"), "\(list.output)")
    }

    @Test("A wrong PIN is reported and has no lasting effect") func wrongPINIsNamed() throws {
      let token = try SoftHSM()
      defer { withExtendedLifetime(token) {} }
      let wrong = try keys(pin: "not-it")
      #expect(throws: KeyStoreError.authenticationFailed(triesLeft: nil, waitSeconds: 0)) { try wrong.generateKey(label: "x") }
      // And nothing of it sticks.
      _ = try keys().generateKey(label: "x")
    }

    @Test("A wrong PIN fails even while another process is logged in")
    func aLoginOfAnotherCallDoesNotLendItselfToAWrongPIN() throws {
      let token = try SoftHSM()
      defer { withExtendedLifetime(token) {} }
      let key = try keys().generateKey(label: "x")
      // Another process of this program stays logged in.
      let driver = try TokenDriver(DriverProcess(module: ModuleFile(named: SoftHSM.module)), hasModule: true)
      try driver.logIn(driver.token(nil), pin: try box(SoftHSM.pin))
      #expect(throws: KeyStoreError.authenticationFailed(triesLeft: nil, waitSeconds: 0)) {
        try keys(pin: "not-it").sign(digest, with: key.id)
      }
      _ = try driver.publicKey(key.id, .signing)
    }

    @Test("A missing token, a missing module and an ambiguous name are reported")
    func absentTokenModuleAndAmbiguousNameAreNamed() throws {
      let token = try SoftHSM(labels: ["one", "two"])
      defer { withExtendedLifetime(token) {} }
      #expect(throws: KeyStoreError.duplicateItem) { try keys().generateKey(label: "x") }
      #expect(throws: KeyStoreError.notPresent("the token")) { try keys(try SoftHSM.uri("three")).generateKey(label: "x") }
      #expect(!(try keys(try SoftHSM.uri("three")).isAvailable))
      _ = try keys(try SoftHSM.uri("two")).generateKey(label: "x")
      let nowhere = PKCS11Keys(module: "/nowhere/module.so", pin: try box(SoftHSM.pin))
      #expect(!nowhere.isAvailable)
      #expect(throws: KeyStoreError.notPresent("the token's module")) { try nowhere.generateKey(label: "x") }
    }

    @Test("The modules of the system's configuration are found") func modulesOfTheConfigurationAreFound() throws {
      let token = try SoftHSM(labels: ["by configuration"])
      defer { withExtendedLifetime(token) {} }
      let keys = PKCS11Keys(token: try SoftHSM.uri("by configuration"), pin: try box(SoftHSM.pin))
      let key = try keys.generateKey(label: "x")
      #expect(key.publicKey.isValid(try keys.sign(digest, with: key.id), of: digest))
    }

    @Test(
      "A token URI that is malformed or holds a PIN is refused",
      arguments: [
        "", "pkcs11", "http://token", "pkcs11:token=%ZZ", "pkcs11:token=a?pin-value=1234",
        "pkcs11:token=a?pin-source=file:/etc/pin",
        "pkcs11:token=a?module-path=/tmp/evil.so", "pkcs11:" + String(repeating: "a", count: 400),
      ])
    func aURIThatIsNoneOrHoldsAPINIsRefused(text: String) {
      #expect {
        _ = try TokenURI(text)
      } throws: {
        guard case .corrupt = $0 as? KeyStoreError else { return false }
        return true
      }
    }
  }
}
