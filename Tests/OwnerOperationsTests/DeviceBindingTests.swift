import Curve
import DaemonSupport
import Foundation
import Identities
import JSON
import OwnerAPI
import OwnerWords
import Platform
import SecretMemory
import Testing
import Vault

@testable import Doctor
@testable import OwnerOperations
@testable import Signer

/// What binds keys to a device, as receipt, status, doctor and `slot bind` say it.
@Suite struct DeviceBindingTests {
  private struct Chip: DeviceSealer {
    var fault: DeviceSealError?
    var isOfThisMachine = true
    let place = "/dev/tpm-of-the-tests"

    func seal(_ secret: SecretBox) throws(DeviceSealError) -> [UInt8] {
      if let fault { throw fault }
      return secret.withBytes { $0.map { $0 ^ 0x5a } }
    }

    func unseal(_ sealed: [UInt8]) throws(DeviceSealError) -> SecretBytes {
      if let fault { throw fault }
      var bytes = sealed.map { $0 ^ 0x5a }
      do { return try SecretBytes(wiping: &bytes) } catch { throw .refused(code: 0) }
    }
  }

  private static var proof: [String: SecretBox] { get throws { ["passphrase": try box(TestHome.passphrase)] } }

  /// A home with an identity of this device.
  private func filledHome() throws -> TestHome {
    let home = TestHome()
    let signer = try Signer(home)
    try signer.operations.ask(
      "identity/class", ["name": "main", "class": "when-unlocked,this-device-only"], secrets: try Self.proof)
    signer.close()
    return home
  }

  private func open(_ home: TestHome, _ chip: Chip?) throws -> (Operations, OpenedHome) {
    let opener = try ShownCredential(passphrase: box(TestHome.passphrase)).opener
    let vault = try Vault.open(
      home: home.path, with: opener, now: Clock.milliseconds, log: home.home.logObserver, sealer: chip, kinds: .holdfast)
    let core = try Opening.open(home: home.home, vault: vault)
    return (Operations(home: core, Services(core), running: nil), core)
  }

  /// A home whose device secret a chip has sealed.
  private func sealedHome() throws -> TestHome {
    let home = try filledHome()
    let (operations, core) = try open(home, Chip())
    try operations.ask("slot/bind", ["tpm": true], secrets: Self.proof)
    core.close()
    return home
  }

  private func binding(_ operations: Operations) throws -> String? { try operations.ask("status")["device_binding"]?.string }

  private func claim(_ operations: Operations) throws -> JSONValue? {
    try operations.ask("identity/receipt", ["name": "main"])["claims"]?.array?.first { $0["claim"] == "this-device-only" }
  }

  @Test("Receipt and status say that a TPM binds a key only after the TPM has unsealed its secret in this run")
  func boundIsSaidOnlyWhereItIs() throws {
    let home = try filledHome()
    let (operations, core) = try open(home, Chip())
    #expect(try binding(operations) == "not enforced here", "a TPM that is there has sealed nothing yet")
    #expect(try claim(operations)?["holds"] == "not enforced here")
    let done = try operations.ask("slot/bind", ["tpm": true], secrets: Self.proof)
    #expect(done["changed"] == true && done["lost"]?.array == [] && done["binding"] == "bound to this machine's TPM")
    core.close()
    let (again, sealed) = try open(home, Chip())
    #expect(try binding(again) == "bound to this machine's TPM")
    let bound = try claim(again)
    #expect(bound?["holds"] == true)
    #expect(bound?["how"]?.string?.contains("/dev/tpm-of-the-tests") == true)
    let identity = try unwrap(sealed.identities.defaultIdentity)
    _ = try sealed.identities.keyPair(for: identity.publicKey)
    sealed.close()
    let (soft, other) = try open(home, Chip(isOfThisMachine: false))
    #expect(try binding(soft) == "not enforced here", "a software TPM is a file")
    let claimed = try claim(soft)
    #expect(claimed?["holds"] == "not enforced here")
    #expect(claimed?["how"]?.string?.contains("software") == true)
    other.close()
  }

  @Test(
    "A TPM that does not open the secret is named with what to do",
    arguments: [DeviceSealError.noAnswer, .anotherChip, .noChip, .notPermitted, .damaged])
  func aClosedSecretIsExplained(fault: DeviceSealError) throws {
    let home = try sealedHome()
    let (operations, core) = try open(home, Chip(fault: fault))
    #expect(try binding(operations) == "sealed by a TPM, which does not open it")
    let claim = try claim(operations)
    #expect(claim?["holds"] == "not enforced here")
    #expect(claim?["how"]?.string == fault.sentence)
    let refused = OperationError(VaultError.deviceSealed(fault))
    #expect(refused.exit == .locked)
    #expect(refused.error == fault.sentence)
    #expect(refused.hint == fault.hint)
    core.close()
    withExtendedLifetime(home) {}  // the folder goes with it
  }

  @Test("Keys are given up only if the TPM is lost for good and the owner accepts it", arguments: [true, false])
  func nothingIsGivenUpForWhatMayPass(mayPass: Bool) throws {
    let home = try sealedHome()
    let (operations, core) = try open(home, Chip(fault: mayPass ? .noAnswer : .anotherChip))
    #expect(try operations.ask("slot/bind", ["plan": true])["needed"] == true)
    #expect(exit(operations, "slot/bind", secrets: try Self.proof) != nil)
    #expect(core.identities.all.count == 1)
    let secrets = try Self.proof
    let accepting = failure { try operations.ask("slot/bind", ["accept_loss": true], secrets: secrets) }
    #expect(accepting?.error == (mayPass ? DeviceSealError.noAnswer.sentence : nil))
    #expect(core.identities.all.count == (mayPass ? 1 : 0))
    core.close()
    withExtendedLifetime(home) {}  // the folder goes with it
  }

  @Test("A TPM that fails to seal leaves the key and its binding unchanged")
  func aFailedSealingChangesNothing() throws {
    let home = try filledHome()
    let (operations, core) = try open(home, Chip(fault: .noAnswer))
    #expect(exit(operations, "slot/bind", ["tpm": true], secrets: try Self.proof) == .locked)
    #expect(try core.vault.deviceBinding == .file)
    #expect(try binding(operations) == "not enforced here")
    core.close()
    withExtendedLifetime(home) {}  // the folder goes with it
  }

  enum SlotLoss: CaseIterable { case another, missing, noSecret }

  private func change(_ home: TestHome, _ loss: SlotLoss) throws {
    let path = home.path + "/device.key"
    try FileManager.default.removeItem(atPath: path)
    if loss != .missing { try Data(repeating: 0x42, count: loss == .another ? 32 : 7).write(to: URL(fileURLWithPath: path)) }
    chmod(path, 0o600)
  }

  private func checked(_ home: TestHome) -> [Finding] {
    var all: [Finding] = []
    Doctor(home: home.home).examine(credential: nil) { findings, _, _ in all += findings }
    return all.filter { $0.check == "device-binding" }
  }

  @Test("Doctor, status and receipt say when device.key does not belong to the vault", arguments: SlotLoss.allCases)
  func anotherDeviceKeyIsNamed(loss: SlotLoss) throws {
    let home = try filledHome()
    #expect(checked(home).map(\.verdict) == [.good])
    try change(home, loss)
    let found = try unwrap(checked(home).first)
    #expect(found.verdict == .bad)
    #expect(found.found.contains(loss == .missing ? "is missing" : "is not the one"))
    #expect(
      found.advice?.contains("Restore this home's device.key") == true && found.advice?.contains("holdfast slot bind") == true)
    let (operations, core) = try open(home, nil)
    #expect(try binding(operations)?.contains(loss == .missing ? "is missing" : "is not the one") == true)
    #expect(try claim(operations)?["holds"] == "not enforced here")
    #expect(try claim(operations)?["how"]?.string?.contains("do not open") == true)
    core.close()
  }

  @Test("A running signer tells doctor which device.key its vault is bound to")
  func aRunningSignerTellsTheMark() throws {
    let home = try filledHome()
    let (operations, core) = try open(home, nil)
    let told = {
      DeviceChecks.all(home: home.home, nil) { () throws(VaultError) in
        try DeviceChecks.mark(toldBy: try? operations.ask("doctor/device"))
      }
    }
    #expect(told().map(\.verdict) == [.good])
    try change(home, .another)
    #expect(told().map(\.verdict) == [.bad])
    core.close()
  }

  @Test("A receipt calls a key bound to this machine only if the TPM has unsealed device.key")
  func heldIsBoundOnlyByAChip() throws {
    let home = try filledHome()
    let bound = { (operations: Operations) throws in
      Set(try operations.ask("identity/receipt", ["name": "main"])["held_by"]?.array?.map { $0["device_bound"]?.bool } ?? [])
    }
    let (plain, core) = try open(home, Chip())
    #expect(try bound(plain) == [false])
    try plain.ask("slot/bind", ["tpm": true], secrets: Self.proof)
    #expect(try bound(plain) == [true])
    core.close()
    for chip in [Chip(isOfThisMachine: false), Chip(fault: .noAnswer)] {
      let (other, core) = try open(home, chip)
      #expect(try bound(other) == [false])
      core.close()
    }
  }
}
