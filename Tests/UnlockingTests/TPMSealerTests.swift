import Ciphers
import Foundation
import SecretMemory
import Testing

@testable import Unlocking
@testable import Vault

/// The device secret, sealed by a real TPM of software.
@Suite(.serialized) struct TPMSealerTests {
  private static let words = "correct horse"

  private static func secret(_ byte: UInt8 = 0xA7) throws -> SecretBox {
    SecretBox(try SecretBytes(count: 32) { for index in 0..<32 { $0[index] = byte &+ UInt8(index) } })
  }

  private static func array(_ secret: borrowing SecretBytes) -> [UInt8] { secret.withBytes { Array($0) } }

  private static func passphrase() throws -> SecretBytes {
    var bytes = Array(words.utf8)
    return try SecretBytes(wiping: &bytes)
  }

  /// A vault with one record of this device and one that may leave it.
  private static func makeVault(_ home: String, _ sealer: TPMSealer?) throws {
    let vault = try Vault.create(home: home, passphrase: passphrase(), cost: .floor, sealer: sealer)
    try vault.transaction([
      .put(.itemValue, [1], secret(1), .whenUnlockedThisDeviceOnly), .put(.itemValue, [2], secret(2), .whenUnlocked),
    ])
    vault.close()
  }

  private static func open(_ home: String, _ sealer: TPMSealer?) throws -> Vault {
    try Vault.open(home: home, with: PassphraseOpener(SecretBox(passphrase())), now: 1_000_000, sealer: sealer)
  }

  /// What the vault says of the record of this device: nil when it opens.
  private static func closed(_ vault: Vault) -> VaultError? {
    do throws(VaultError) {
      _ = try vault.secret(kind: .itemValue, id: [1])
      return nil
    } catch { return error }
  }

  @Test("A TPM unseals its own secret, even after a restart, and no other TPM can")
  func onlyTheSameTPMOpensIt() throws {
    let (here, there) = (try SoftTPM(), try SoftTPM())
    let sealed = try here.sealer().seal(Self.secret())
    #expect(sealed.count <= SealedDeviceKey.maximumContents)
    #expect(Data(sealed).range(of: Data(Self.array(try Self.secret().duplicate()).prefix(8))) == nil)
    for _ in 0..<5 { #expect(Self.array(try here.sealer().unseal(sealed)) == Self.array(try Self.secret().duplicate())) }
    here.stop()
    #expect(throws: DeviceSealError.noChip) { _ = try here.sealer().unseal(sealed) }
    try here.start()
    #expect(Self.array(try here.sealer().unseal(sealed)) == Self.array(try Self.secret().duplicate()))
    #expect(throws: DeviceSealError.anotherChip) { _ = try there.sealer().unseal(sealed) }
    try here.clear()
    #expect(throws: DeviceSealError.anotherChip) { _ = try here.sealer().unseal(sealed) }
  }

  @Test("Another TPM under the same name cannot unseal the secret")
  func theTPMItselfRefusesWhatIsNotIts() throws {
    let (here, there) = (try SoftTPM(), try SoftTPM())
    var forged = try here.sealer().seal(Self.secret())
    let own = try there.sealer().seal(Self.secret())
    forged.replaceSubrange(1..<35, with: own[1..<35])
    let sealer = try there.sealer()
    var found: DeviceSealError?
    do throws(DeviceSealError) { _ = try sealer.unseal(forged) } catch { found = error }
    guard case .refused? = found else {
      Issue.record("\(String(describing: found))")
      return
    }
  }

  @Test("On another machine, a copied home does not open the keys of this device but opens the rest")
  func aCopiedHomeStaysClosedElsewhere() throws {
    let (here, there, folder) = (try SoftTPM(), try SoftTPM(), try Folder())
    try Self.makeVault(folder.file("home"), try here.sealer())
    try FileManager.default.copyItem(atPath: folder.file("home"), toPath: folder.file("copy"))
    for sealer in [try there.sealer(), nil] {
      let copy = try Self.open(folder.file("copy"), sealer)
      #expect(Self.closed(copy) == .deviceSealed(sealer == nil ? .noChip : .anotherChip))
      #expect(Self.array(try copy.secret(kind: .itemValue, id: [2])) == Self.array(try Self.secret(2).duplicate()))
      copy.close()
    }
    here.stop()
    try here.start()
    let vault = try Self.open(folder.file("home"), try here.sealer())
    #expect(Self.closed(vault) == nil)
    #expect(try vault.deviceBinding == .chip(place: here.name, isOfThisMachine: false))
    vault.close()
  }

  @Test("A plain device secret can be replaced by a sealed one, and then opens nothing")
  func aPlainSecretIsReplaced() throws {
    let (tpm, folder) = (try SoftTPM(), try Folder())
    let home = folder.file("home")
    try Self.makeVault(home, nil)
    try FileManager.default.copyItem(atPath: home + "/device.key", toPath: folder.file("kept"))
    let vault = try Self.open(home, try tpm.sealer())
    #expect(try vault.deviceBinding == .file && Self.closed(vault) == nil)
    try vault.renewDeviceSecret(sealed: true, provenBy: [PassphraseOpener(SecretBox(Self.passphrase()))], now: 2)
    vault.close()
    let again = try Self.open(home, try tpm.sealer())
    #expect(try again.deviceBinding == .chip(place: tpm.name, isOfThisMachine: false) && Self.closed(again) == nil)
    again.close()
    try FileManager.default.removeItem(atPath: home + "/device.key")
    try FileManager.default.copyItem(atPath: folder.file("kept"), toPath: home + "/device.key")
    let stale = try Self.open(home, try tpm.sealer())
    #expect(Self.closed(stale) == .otherDevice)
    stale.close()
  }

  @Test("A TPM that never answers delays only the keys of this device")
  func aHangingTPMIsLeft() throws {
    let (tpm, folder, deaf) = (try SoftTPM(), try Folder(), try TPMListener(before: nil))
    try Self.makeVault(folder.file("home"), try tpm.sealer())
    let hanging = try #require(TPMSealer(deaf.name, milliseconds: 200))
    let vault = try Self.open(folder.file("home"), hanging)
    #expect(Self.closed(vault) == .deviceSealed(.noAnswer))
    #expect(Self.array(try vault.secret(kind: .itemValue, id: [2])) == Self.array(try Self.secret(2).duplicate()))
    // The next call does not join the queue behind the one that hangs.
    #expect(throws: DeviceSealError.noAnswer) { _ = try hanging.seal(Self.secret()) }
    vault.close()
    // A new vault gets a plain secret then, and says so.
    let other = try #require(TPMSealer(deaf.name, milliseconds: 200))
    try Self.makeVault(folder.file("new"), other)
    let new = try Self.open(folder.file("new"), nil)
    #expect(try new.deviceBinding == .file)
    new.close()
  }

  @Test(
    "A TPM that disconnects or answers nonsense is not reported as missing, and no key is given up",
    arguments: [TPMListener.Manner.hangsUp, .breaksOff, .nonsense])
  func aFailingConnectionIsNoAbsence(manner: TPMListener.Manner) throws {
    let listener = try TPMListener(before: nil, else: manner)
    let sealer = try #require(TPMSealer(listener.name))
    let secret = try Self.secret()
    var found: DeviceSealError?
    do throws(DeviceSealError) { _ = try sealer.seal(secret) } catch { found = error }
    switch found {
    case .brokenOff?, .noAnswer?, .refused?: break
    default: Issue.record("\(String(describing: found))")
    }
  }

  @Test("When the TPM's socket does not exist, the TPM is reported as missing")
  func anAbsentSocketIsNoChip() throws {
    let folder = try Folder()
    let absent = try #require(TPMSealer("swtpm:path=" + folder.file("none")))
    #expect(throws: DeviceSealError.noChip) { _ = try absent.seal(Self.secret()) }
  }

  @Test("Listening on the bus between processor and TPM does not reveal the secret")
  func nothingIsInClearOnTheWay() throws {
    let tpm = try SoftTPM()
    let bus = try TPMListener(before: tpm)
    let sealer = try #require(TPMSealer(bus.name))
    let secret = Data(Self.array(try Self.secret().duplicate()))
    let sealed = try sealer.seal(Self.secret())
    let afterSealing = bus.bytes
    #expect(afterSealing.count > 500 && afterSealing.range(of: secret.prefix(16)) == nil)
    #expect(Data(Self.array(try sealer.unseal(sealed))) == secret)
    #expect(bus.bytes.count > afterSealing.count + 500 && bus.bytes.range(of: secret.prefix(16)) == nil)
  }

  @Test("Altered TPM data unseals nothing and is never taken for the secret")
  func everyChangedByteIsRefused() throws {
    let tpm = try SoftTPM()
    let sealer = try tpm.sealer()
    let sealed = try sealer.seal(Self.secret())
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(throws: DeviceSealError.self, "changed at \(index)") { _ = try sealer.unseal(changed) }
    }
    for count in 0..<sealed.count {
      #expect(throws: DeviceSealError.self, "cut to \(count)") { _ = try TPMBlob(parsing: Array(sealed.prefix(count))) }
    }
    #expect(throws: DeviceSealError.damaged) { _ = try TPMBlob(parsing: sealed + [0]) }
    #expect(try TPMBlob(parsing: sealed).bytes == sealed)
    #expect(Self.array(try sealer.unseal(sealed)) == Self.array(try Self.secret().duplicate()))
  }

  @Test(
    "Only a kernel device or swtpm can be used as a TPM; no other library is loaded",
    arguments: [
      ("device:/dev/tpmrm0", true), ("device:/dev/tpm1", true), ("swtpm:path=/run/x", true), ("none", false), ("", false),
      ("device:/tmp/tpm", false), ("device:/dev/tpm/../../tmp/x", false), ("swtpm:", false), ("cmd:/bin/sh", false),
      ("/tmp/evil.so", false), ("swtpm:path=/a b", false), ("swtpm:path=/a\u{0}b", false),
      ("swtpm:" + String(repeating: "a", count: 200), false),
    ])
  func onlyKnownPlacesAreTPMs(name: String, isOne: Bool) { #expect((TPMSealer(name) != nil) == isOne) }

  @Test("The error says whether a device is missing or not permitted")
  func anAbsentDeviceIsNamed() throws {
    let absent = try #require(TPMSealer("device:/dev/tpm-none"))
    #expect(throws: DeviceSealError.noChip) { _ = try absent.seal(Self.secret()) }
    #expect(!absent.isPermitted && absent.isOfThisMachine)
  }

  @Test("A TPM name that cannot be read never counts as a missing TPM, and nothing is sealed or given up")
  func aMisnamedTPMIsRefused() throws {
    for text in ["/dev/tpmrm0", "device:/tmp/tpm", "yes"] {
      let sealer = try #require(TPMSealer.named(text))
      #expect(throws: DeviceSealError.misnamed) { _ = try sealer.seal(Self.secret()) }
      #expect(!sealer.isOfThisMachine && !sealer.isPermitted)
      let folder = try Folder()
      #expect(throws: VaultError.deviceSealed(.misnamed)) { try Self.makeVault(folder.file("home"), sealer) }
      #expect(!Vault.exists(home: folder.file("home")))
    }
    #expect(TPMSealer.named("none") == nil)
    #expect(TPMSealer.named("device:/dev/tpmrm1")?.place == "/dev/tpmrm1")
  }
}
