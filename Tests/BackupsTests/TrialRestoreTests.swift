import AuditLog
import Curve
import DaemonSupport
import Encodings
import Foundation
import Identities
import JSON
import Nostr
import OwnerAPI
import OwnerWords
import Platform
import SecretMemory
import Testing
import Vault

@testable import Backups
@testable import OwnerOperations
@testable import Signer

/// A backup that a trial's browser sends becomes the owner's own home, or nothing happens.
@Suite struct TrialRestoreTests {
  private let own = TestHome()
  private let stopped = Locked(0)
  private let keeping: TrialKeeping
  private let trial: Signer
  private var owner: [String: SecretBox] { get throws { ["passphrase": try box(TestHome.passphrase)] } }

  init() throws {
    let stopped = stopped
    keeping = TrialKeeping(
      own: own.home, command: { "holdfast up --home \($0.path)" }, newSignInToken: { "token" },
      whenBegun: { stopped.change { $0 += 1 } })
    trial = try Signer(keeping: keeping)
  }

  private func call(
    _ name: String, _ parameters: JSONValue, secrets: [String: SecretBox] = [:], of signer: Signer? = nil
  ) throws -> JSONValue {
    var request = ControlRequest(name, parameters, secrets: secrets)
    request.session = "a"
    return try (signer ?? trial).operations.perform(request, via: .console).json
  }

  private func send(_ bytes: [UInt8], to signer: Signer? = nil) throws -> JSONValue {
    let begun = try call("backup/upload-begin", ["length": .integer(Int64(bytes.count))], of: signer)
    let upload = try unwrap(begun["upload"])
    var offset = 0
    while offset < bytes.count {
      let part = Array(bytes[offset..<min(bytes.count, offset + BackupUploads.longestPart)])
      let data = JSONValue.string(Base64URL.string(part))
      _ = try call("backup/upload-part", ["upload": upload, "offset": .integer(Int64(offset)), "data": data], of: signer)
      offset += part.count
    }
    _ = try call("backup/upload-end", ["upload": upload], of: signer)
    return upload
  }

  /// A backup of a signer with an app, and the key of its identity.
  private func backup() throws -> (bytes: [UInt8], npub: String) {
    let old = try Signer()
    defer { old.close() }
    _ = try old.pairedApp()
    let made = try old.operations.perform(ControlRequest("backup/create"), via: .console)
    return (try unwrap(made["data"]?.string.flatMap { Base64.decode($0) }), try old.identity.publicKey.npub)
  }

  private func content(_ place: Place, _ name: String) throws -> [UInt8] {
    [UInt8](try unwrap(FileManager.default.contents(atPath: place.path + "/" + name)))
  }

  private var uploads: Int { trial.operations.services.uploads.count }

  @Test("A backup of any vault is shown first, then restored, and the signer goes on there") func restores() throws {
    defer { trial.close() }
    let (bytes, npub) = try backup()
    let upload = try send(bytes)
    let found = try call("trial/backup-check", ["upload": upload], secrets: owner)
    #expect(found["identities"]?.array?.first?["npub"]?.string == npub && found["apps"]?.array?.count == 1)
    #expect(!Opening.hasVault(own.home) && keeping.move == nil && uploads == 1, "it was only looked into")
    let told = try call("trial/restore", ["upload": upload], secrets: owner)
    #expect(told["home"]?.string == own.path && told["sign_in"] == "token")
    #expect(told["start"]?.string == "holdfast up --home \(own.path)")
    #expect(told["suspended"]?.array?.count == 1, "no app of the backup goes on by itself")
    #expect(stopped.withLock { $0 } == 1 && uploads == 0)
    let move = try #require(keeping.move)
    #expect(move.isRestored && move.home == own.home)
    let restored = try own.core()
    defer { restored.close() }
    #expect(restored.identities.all.map(\.publicKey.npub) == [npub])
    #expect(move.takePassphrase()?.withBytes { $0.elementsEqual(TestHome.passphrase.utf8) } == true)
  }

  @Test("A trial says whether a vault may be made in the owner's home, before anything is sent") func saysItsPlace() throws {
    defer { trial.close() }
    #expect(try call("trial/place", [:]) == ["home": .string(own.path), "fault": nil])
    _ = try own.withVault()
    #expect(try call("trial/place", [:])["fault"]?.string == "There is already a vault at \(own.path). Nothing was changed.")
    let signer = try Signer()
    defer { signer.close() }
    #expect(failure { try call("trial/place", [:], of: signer) }?.exit == .failed)
  }

  @Test("A browser gets the list of revoked apps as a file that its backup opens, and nothing while the signer is locked")
  func givesTheList() throws {
    defer { trial.close() }
    let old = try Signer()
    defer { old.close() }
    let gone = try old.pairedApp(name: "gone")
    _ = try old.pairedApp(name: "stays")
    let made = try call("backup/create", [:], of: old)
    let bytes = try unwrap(made["data"]?.string.flatMap { Base64.decode($0) })
    try old.operations.ask("client/revoke", ["client": .string(gone.key.publicKey.hex)])
    let given = try call("backup/revoked-apps", [:], of: old)
    #expect(given["name"]?.string == BackupName.revocations(old.core.vault.id) && given["entries"] == 1)
    let list = try unwrap(given["data"]?.string.flatMap { Base64.decode($0) })
    let told = try call(
      "trial/restore", ["upload": try send(bytes), "revoked_apps": .string(Base64URL.string(list))], secrets: owner)
    #expect(told["revoked"]?.array?.count == 1 && told["suspended"]?.array?.count == 1)
    old.core.sessionLock.lock("a test")
    #expect(failure { try call("backup/revoked-apps", [:], of: old) }?.wantsUnlocking == true)
  }

  @Test("An app that was revoked after the backup stays away if its list is sent along, and another file is refused")
  func revokedSince() throws {
    defer { trial.close() }
    let (old, place) = (try Signer(), try Place())
    let gone = try old.pairedApp(name: "gone")
    _ = try old.pairedApp(name: "stays")
    try old.operations.ask("backup/schedule", ["to": .string(place.path)], secrets: try owner)
    let name = try unwrap(old.operations.ask("backup/run")["plan"]?["name"]?.string)
    try old.operations.ask("client/revoke", ["client": .string(gone.key.publicKey.hex)])
    old.operations.services.backups.sendRevocations()
    let bytes = try content(place, name)
    let list = try content(place, BackupName.revocations(old.core.vault.id))
    old.close()
    let upload = try send(bytes)
    for wrong in [Array("not a list".utf8), Array(list.dropLast())] {
      let refused = try #require(
        failure {
          try call("trial/restore", ["upload": upload, "revoked_apps": .string(Base64URL.string(wrong))], secrets: owner)
        })
      #expect(refused.exit == .usage && refused.error.contains("not the list of revoked apps"))
      #expect(!Opening.hasVault(own.home) && keeping.move == nil && uploads == 1)
    }
    let told = try call(
      "trial/restore", ["upload": upload, "revoked_apps": .string(Base64URL.string(Array(list)))], secrets: owner)
    #expect(told["revoked"] == ["gone"] && told["suspended"] == ["stays"])
    #expect(told["revocations"]?["state"] == "read")
  }

  @Test("A wrong passphrase restores nothing, and the file stays for another attempt") func wrongPassphrase() throws {
    defer { trial.close() }
    let upload = try send(try backup().bytes)
    for operation in ["trial/backup-check", "trial/restore"] {
      let said = failure { try call(operation, ["upload": upload], secrets: ["passphrase": try box("another")]) }
      #expect(said?.exit == .locked)
    }
    #expect(!Opening.hasVault(own.home) && keeping.move == nil && stopped.withLock { $0 } == 0 && uploads == 1)
    _ = try call("trial/restore", ["upload": upload], secrets: owner)
    #expect(Opening.hasVault(own.home))
  }

  @Test("Where a vault exists, nothing is restored and nothing of it changes") func existingHome() throws {
    defer { trial.close() }
    let upload = try send(try backup().bytes)
    _ = try own.withVault()
    let before = try own.files()
    for operation in ["trial/backup-check", "trial/restore"] {
      let said = try #require(failure { try call(operation, ["upload": upload], secrets: owner) })
      #expect(said.error == "There is already a vault at \(own.path). Nothing was changed.")
      #expect(said.hint == OperationError.restoreElsewhere)
    }
    #expect(try own.files() == before && keeping.move == nil && stopped.withLock { $0 } == 0)
  }

  @Test("Shares need a new passphrase") func sharesNeedAPassphrase() throws {
    defer { trial.close() }
    let old = try Signer()
    let kit = try old.operations.ask("recovery/create", ["threshold": 2, "shares": 3], secrets: try owner)
    let lines = try unwrap(kit["shares"]?.array).prefix(2).compactMap(\.string).joined(separator: "\n")
    let bytes = try unwrap(
      try old.operations.perform(ControlRequest("backup/create"), via: .console)["data"]?.string.flatMap { Base64.decode($0) })
    old.close()
    let upload = try send(bytes)
    let shares = ["shares": try box(lines)]
    _ = try call("trial/backup-check", ["upload": upload], secrets: shares)
    let said = try #require(failure { try call("trial/restore", ["upload": upload], secrets: shares) })
    #expect(said.exit == .usage && said.error == "The new passphrase is missing." && !Opening.hasVault(own.home))
    let both = shares.merging(["new_passphrase": try box("a new one")]) { first, _ in first }
    _ = try call("trial/restore", ["upload": upload], secrets: both)
    try own.core("a new one").close()
    #expect(throws: (any Error).self) { try own.core(TestHome.passphrase) }
  }

  @Test("A damaged backup restores nothing, and the trial goes on") func damaged() throws {
    defer { trial.close() }
    var bytes = try backup().bytes
    bytes[bytes.count - 20] ^= 1
    let upload = try send(bytes)
    #expect(failure { try call("trial/restore", ["upload": upload], secrets: owner) }?.error.contains("damaged") == true)
    #expect(!Opening.hasVault(own.home) && keeping.move == nil && stopped.withLock { $0 } == 0)
    _ = try call("trial/restore", ["upload": try send(try backup().bytes)], secrets: owner)
    #expect(keeping.move?.isRestored == true)
  }

  @Test("A signer that has a vault restores nothing", arguments: ["trial/backup-check", "trial/restore"])
  func noTrial(operation: String) throws {
    trial.close()
    let signer = try Signer()
    defer { signer.close() }
    let upload = try send(
      try unwrap(
        try signer.operations.perform(ControlRequest("backup/create"), via: .console)["data"]?.string.flatMap {
          Base64.decode($0)
        }),
      to: signer)
    let said = try #require(failure { try call(operation, ["upload": upload], secrets: owner, of: signer) })
    #expect(said.error == "This signer has a vault already, so nothing is restored here." && said.exit == .failed)
  }

  @Test("Neither the keyring nor another session's file is taken") func refusesOthers() throws {
    defer { trial.close() }
    let upload = try send(try backup().bytes)
    for operation in ["trial/backup-check", "trial/restore"] {
      let said = failure { try call(operation, ["upload": upload, "keyring": true]) }
      #expect(said?.error == "In a browser, a backup is restored with its passphrase or with shares of a recovery kit.")
    }
    var foreign = ControlRequest("trial/restore", ["upload": upload], secrets: try owner)
    foreign.session = "b"
    #expect(failure { try trial.operations.perform(foreign, via: .console) }?.exit == .notFound)
    foreign.session = nil
    #expect(failure { try trial.operations.perform(foreign, via: .command) }?.exit == .usage)
    #expect(!Opening.hasVault(own.home))
  }
}
