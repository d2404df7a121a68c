import Ciphers
import Foundation
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import Unlocking

extension Devices {
  @Suite struct SlotTests {
    private func slot(_ parameters: [UInt8]) -> SlotDescription { SlotDescription(id: 7, type: .token, parameters: parameters) }

    /// The slot's description and its secret.
    private func enrol(_ token: TokenURI? = nil, pamService: String? = nil) throws -> (SlotDescription, [UInt8]) {
      let made = try TokenEnrolment.make(
        token: token, module: SoftHSM.module, pin: try box(SoftHSM.pin), pamService: pamService, label: "slot key")
      return (slot(made.parameters), made.secret.array())
    }

    @Test("A token gives the slot's secret for its PIN") func theTokenGivesTheSecretBack() throws {
      let token = try SoftHSM()
      defer { withExtendedLifetime(token) {} }
      let (slot, secret) = try enrol()
      #expect(secret.count == 32 && slot.parameters.count <= 1024)
      let opener = TokenOpener(pin: try box(SoftHSM.pin))
      #expect(try opener.secret(of: slot)?.array() == secret)
      let parameters = try TokenParameters(slot.parameters)
      guard case .agreement = parameters.method else {
        Issue.record("SoftHSM has ECDH")
        return
      }
      #expect(parameters.module == SoftHSM.module && parameters.token.description.contains("token=holdfast%20test"))
    }

    @Test("A wrong PIN or another token opens nothing") func wrongPINAndSlotsOfOthersOpenNothing() throws {
      let token = try SoftHSM(labels: ["one", "two"])
      defer { withExtendedLifetime(token) {} }
      let (slot, _) = try enrol(try SoftHSM.uri("one"))
      let wrong = TokenOpener(pin: try box("wrong"))
      #expect(throws: KeyStoreError.authenticationFailed(triesLeft: nil, waitSeconds: 0)) {
        _ = try wrong.secret(of: slot)?.count
      }
      let other = TokenOpener(token: try SoftHSM.uri("two"), pin: try box(SoftHSM.pin))
      #expect(try other.secret(of: slot)?.count == nil)
      let passphrase = SlotDescription(id: 1, type: .passphrase, parameters: slot.parameters)
      #expect(try TokenOpener(pin: try box(SoftHSM.pin)).secret(of: passphrase)?.count == nil)
    }

    @Test("When two tokens match, neither is given the PIN", arguments: [nil, "twin"])
    func twinsAreRefused(name: String?) throws {
      let tokens = try SoftHSM(labels: ["twin", "twin"])
      defer { withExtendedLifetime(tokens) {} }
      #expect(throws: KeyStoreError.duplicateItem) { _ = try enrol(name.map { try SoftHSM.uri($0) }) }
    }

    @Test("A wrong PIN is tried on one token only") func aWrongPINIsShownOnce() throws {
      let token = try SoftHSM(labels: ["one", "two"])
      let (first, _) = try enrol(try SoftHSM.uri("one"))
      let (second, _) = try enrol(try SoftHSM.uri("two"))
      let wrong = TokenOpener(pin: try box("wrong"))
      #expect(throws: KeyStoreError.authenticationFailed(triesLeft: nil, waitSeconds: 0)) {
        _ = try wrong.secret(of: first)?.count
      }
      // The second token is not even asked: without its files it would not be there.
      try FileManager.default.removeItem(atPath: token.folder.file("tokens"))
      #expect(throws: KeyStoreError.authenticationFailed(triesLeft: nil, waitSeconds: 0)) {
        _ = try wrong.secret(of: second)?.count
      }
    }

    @Test("A token that was removed and one that was emptied are told apart")
    func aTokenPulledOutIsNotPresentAndOneEmptiedHasNoKey() throws {
      let token = try SoftHSM()
      let (slot, secret) = try enrol()
      let opener = TokenOpener(pin: try box(SoftHSM.pin))
      let empty = try SoftHSM(labels: ["another"])
      #expect(throws: KeyStoreError.notPresent("the token")) { _ = try opener.secret(of: slot)?.count }
      withExtendedLifetime(empty) {}
      token.use()
      #expect(try opener.secret(of: slot)?.array() == secret)
      try TokenEnrolment.forget(slot, pin: try box(SoftHSM.pin))
      #expect(throws: KeyStoreError.itemNotFound) { _ = try opener.secret(of: slot)?.count }
    }

    @Test("The token that is present opens the vault, and the absent ones are named")
    func ofSeveralTokensTheOneThatIsThereOpensAndTheOthersAreNamed() throws {
      let card = try SoftHSM(labels: ["card"])
      let home = NSTemporaryDirectory() + "holdfast-tokens-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: home) }
      let first = try TokenEnrolment.make(token: nil, module: SoftHSM.module, pin: try box(SoftHSM.pin), label: "slot key")
      let vault = try Vault.create(home: home, first: first, label: "card", now: 1)
      defer { vault.close() }
      let other = try SoftHSM(labels: ["blue key"])
      let second = try TokenEnrolment.make(token: nil, module: SoftHSM.module, pin: try box(SoftHSM.pin), label: "slot key")
      card.use()
      let id = try vault.addSlot(second, label: "blue", provenBy: TokenOpener(pin: try box(SoftHSM.pin)), now: 2)
      other.use()
      let opener = TokenOpener(pin: try box(SoftHSM.pin))
      #expect(try vault.unlock(with: opener, now: 3).slot == id)
      #expect(opener.absences.map(\.token.name) == ["card"])
      #expect(opener.absences.first?.seen?.tokens.map(\.name) == ["blue key"])
      #expect(opener.absences.first?.reason == .notPresent("the token"))
      card.use()
      #expect(try vault.unlock(with: opener, now: 4).slot == 1 && !opener.isForNoSlot)
      let none = TokenOpener(token: try SoftHSM.uri("nobody"), pin: try box(SoftHSM.pin))
      #expect(throws: KeyStoreError.self) { try vault.unlock(with: none, now: 5) }
      #expect(none.isForNoSlot && none.refusing == nil)
      let wrong = TokenOpener(pin: try box("wrong"))
      #expect(throws: KeyStoreError.authenticationFailed(triesLeft: nil, waitSeconds: 0)) {
        try vault.unlock(with: wrong, now: 6)
      }
      #expect(wrong.refusing?.name == "card")
    }

    /// As a signer sees it that was started without the settings of its driver.
    @Test("A driver that shows no token is reported with what it shows") func aDriverThatShowsNoTokenSaysWhatItShows() throws {
      let token = try SoftHSM()
      let (slot, _) = try enrol()
      let empty = try SoftHSM(labels: [])
      let opener = TokenOpener(pin: try box(SoftHSM.pin))
      #expect(throws: KeyStoreError.notPresent("the token")) { _ = try opener.secret(of: slot)?.count }
      let absence = try #require(opener.absences.first)
      #expect(absence.module == SoftHSM.module && absence.slot == slot.id)
      #expect(absence.seen.map { $0.slots > 0 && $0.tokens.isEmpty } == true)
      withExtendedLifetime((token, empty)) {}
    }

    @Test(
      "The name of a token is short and printable",
      arguments: [
        ("pkcs11:model=m;token=My%20Key", "My Key"), ("pkcs11:token=card?x=y", "card"), ("pkcs11:token=a%00b", "a%00b"),
        ("pkcs11:token=%1b%5b", "%1b%5b"), ("pkcs11:model=m", "pkcs11:model=m"),
      ])
    func aTokensNameIsShortAndCanBePrinted(text: String, name: String) throws {
      guard let uri = try? TokenURI(text) else { return }
      #expect(uri.name == name)
    }

    @Test("Any changed byte of a token slot causes an error") func anyChangedByteOfTheSlotIsANamedFault() throws {
      let token = try SoftHSM()
      defer { withExtendedLifetime(token) {} }
      let (slot, secret) = try enrol()
      var seen: Set<String> = []
      let pin = try box(SoftHSM.pin)
      for position in slot.parameters.indices {
        var changed = slot.parameters
        changed[position] ^= 1
        do throws(KeyStoreError) {
          let bytes = try TokenOpener(module: SoftHSM.module, pin: pin).secret(of: self.slot(changed))?.array()
          #expect(bytes == nil, "byte \(position) is not bound; the same secret: \(bytes == secret)")
        } catch { seen.insert("\(error)") }
      }
      #expect(seen.contains { $0.contains("corrupt") } && seen.contains { $0.contains("notPresent") }, "\(seen)")
    }

    @Test("The parameters of a token slot are read back, and cut ones are refused")
    func parametersAreReadBackAndCutOnesAreRefused() throws {
      let token = try SoftHSM()
      defer { withExtendedLifetime(token) {} }
      let (slot, _) = try enrol(pamService: "holdfast")
      let parameters = try TokenParameters(slot.parameters)
      #expect(parameters.bytes == slot.parameters && parameters.pamService == "holdfast")
      for length in slot.parameters.indices {
        #expect(throws: KeyStoreError.self) { _ = try TokenParameters(Array(slot.parameters[..<length])) }
      }
      #expect(throws: KeyStoreError.self) { _ = try TokenParameters(slot.parameters + [0]) }
    }

    @Test("A slot with a PAM check stays closed when nobody can answer") func aSlotWithAPAMCheckStaysClosedWhenNobodyCanAnswer()
      throws
    {
      let token = try SoftHSM()
      defer { withExtendedLifetime(token) {} }
      let (slot, _) = try enrol(pamService: "holdfast")
      #expect(throws: KeyStoreError.interactionNotAllowed) {
        _ = try TokenOpener(pin: try box(SoftHSM.pin)).secret(of: slot)?.count
      }
    }

    /// Who can write the vault's file and nothing else must not have code of his loaded.
    @Test("A driver file that others can write is not loaded") func aStoredModuleThatOthersCanWriteIsNotLoaded() throws {
      let token = try SoftHSM()
      let (slot, secret) = try enrol()
      let good = try TokenParameters(slot.parameters)
      let evil = token.folder.file("evil.so")
      try Data(contentsOf: URL(fileURLWithPath: SoftHSM.module)).write(to: URL(fileURLWithPath: evil))
      let changed = TokenParameters(
        token: good.token, module: evil, pamService: "", keyID: good.keyID, method: good.method, sealed: good.sealed)
      let opener = TokenOpener(pin: try box(SoftHSM.pin))
      #expect(throws: KeyStoreError.corrupt("the module's path: others can write there")) {
        _ = try opener.secret(of: self.slot(changed.bytes))?.count
      }
      for path in ["evil.so", "/usr/lib/../../tmp/evil.so", evil + "\u{0}"] {
        let relative = TokenParameters(
          token: good.token, module: path, pamService: "", keyID: good.keyID, method: good.method, sealed: good.sealed)
        #expect(throws: KeyStoreError.self) { _ = try opener.secret(of: self.slot(relative.bytes))?.count }
      }
      // The owner may name it.
      let named = TokenOpener(module: evil, pin: try box(SoftHSM.pin))
      #expect(try named.secret(of: slot)?.array() == secret)
    }
  }

  @Suite struct TPMTests {
    private func enrol() throws -> (SlotDescription, [UInt8]) {
      let made = try TokenEnrolment.make(token: nil, module: SwTPM.module, pin: try box(SwTPM.pin), label: "slot key")
      return (SlotDescription(id: 3, type: .token, parameters: made.parameters), made.secret.array())
    }

    private func open(_ slot: SlotDescription, pin: String = SwTPM.pin) throws -> [UInt8]? {
      try TokenOpener(pin: try box(pin)).secret(of: slot)?.array()
    }

    @Test("Only the TPM that made a slot opens it, also after a restart")
    func theTPMOpensAfterARestartAndNoOtherTPMDoes() throws {
      let tpm = try SwTPM()
      let (slot, secret) = try enrol()
      guard case .decryption = try TokenParameters(slot.parameters).method else {
        Issue.record("tpm2-pkcs11 has no ECDH")
        return
      }
      #expect(try open(slot) == secret)
      tpm.stop()
      #expect(throws: KeyStoreError.self) { try open(slot) }
      try tpm.start()
      #expect(try open(slot) == secret)
      let thief = try SwTPM(copying: tpm.store)
      #expect(throws: KeyStoreError.self) { try open(slot) }
      withExtendedLifetime(thief) {}
      tpm.use()
      #expect(try open(slot) == secret)
    }

    /// Prints what an opening takes, and each part of it: docs/KEYS.md has the figures.
    @Test("The time to open a slot with the TPM is measured") func anOpeningByTheTPMIsTimed() throws {
      let tpm = try SwTPM()
      defer { withExtendedLifetime(tpm) {} }
      let (slot, secret) = try enrol()
      let clock = ContinuousClock()
      func median(_ body: () throws -> Void) throws -> Duration {
        var times: [Duration] = []
        for _ in 0..<9 { times.append(try clock.measure(body)) }
        return times.sorted()[4]
      }
      #expect(try open(slot) == secret)
      let whole = try median { _ = try open(slot) }
      let parameters = try TokenParameters(slot.parameters)
      let (pin, uri) = (try box(SwTPM.pin), parameters.token)
      let device = TokenDevice(uri: uri, module: .named(SwTPM.module), pin: pin)
      let start = try median { try device.drive { _ in } }
      let found = try median { try device.look { (_, _) in } }
      let loggedIn = try median { try device.use { (_, _) in } }
      print("TPM (tpm2-pkcs11 over swtpm): opening \(whole); of that the driver's start \(start),")
      print("the token found \(found - start), login \(loggedIn - found), key and decryption \(whole - loggedIn)")
    }

    @Test("Wrong PINs lock the TPM itself") func wrongPINsLockTheTPMItself() throws {
      let tpm = try SwTPM()
      defer { withExtendedLifetime(tpm) {} }
      let (slot, secret) = try enrol()
      #expect(try open(slot) == secret)
      var faults: [String] = []
      for _ in 0..<8 {
        do { _ = try open(slot, pin: "wrong-pin") } catch { faults.append("\(error)") }
      }
      #expect(faults.first?.contains("authenticationFailed") == true, "\(faults)")
      // Now the right one is of no use either: the TPM, and no program, counted.
      #expect(throws: KeyStoreError.biometryLockout) { try open(slot) }
    }

    @Test("A hardware key signs on the TPM") func hardwareKeysSignOnTheTPM() throws {
      let tpm = try SwTPM()
      defer { withExtendedLifetime(tpm) {} }
      let keys = PKCS11Keys(module: SwTPM.module, pin: try box(SwTPM.pin))
      let digest = SHA256.digest(of: Array("a message".utf8))
      let key = try keys.generateKey(label: "sign")
      #expect(key.publicKey.isValid(try keys.sign(digest, with: key.id), of: digest))
      try keys.deleteKey(key.id)
      #expect(throws: KeyStoreError.itemNotFound) { try keys.sign(digest, with: key.id) }
    }
  }
}
