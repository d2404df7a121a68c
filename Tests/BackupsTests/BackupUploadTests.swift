import AuditLog
import Ciphers
import DaemonSupport
import Encodings
import Foundation
import JSON
import OwnerAPI
import OwnerWords
import Platform
import SecretMemory
import Testing
import Vault

@testable import Backups
@testable import OwnerOperations
@testable import Signer

/// Backups that browsers send in parts: what is taken, what is refused, and when nothing is left.
@Suite struct BackupUploadTests {
  private let place: Place
  private let time = Locked<Int64>(0)
  private let uploads: BackupUploads

  init() throws {
    let (place, time) = (try Place(), time)
    self.place = place
    uploads = BackupUploads(in: place.path, now: { time.withLock { $0 } }, append: { $0.append($1) })
  }

  private func read(_ id: String, _ session: String) throws -> [UInt8] {
    try uploads.read(id, in: session) { Array(try Data(contentsOf: URL(fileURLWithPath: $0))) }
  }

  @Test("A file arrives as it was sent, and has no name on the disk") func arrivesWhole() throws {
    let id = try uploads.begin(5, in: "a")
    #expect(try uploads.take([1, 2, 3], at: 0, of: id, in: "a") == 3)
    #expect(try uploads.take([4, 5], at: 3, of: id, in: "a") == 5)
    #expect(try read(id, "a") == [1, 2, 3, 4, 5])
    #expect(place.names.isEmpty)
    let mode = try uploads.read(id, in: "a") { path in
      var about = stat()
      #expect(stat(path, &about) == 0)
      return about.st_mode
    }
    #expect(mode & 0o777 == 0o600)
  }

  @Test("A file that is empty or too long is refused", arguments: [0, -1, BackupUploads.largest + 1, .max])
  func refusesLengths(length: Int64) {
    #expect(throws: BackupUploadError.length(limit: BackupUploads.largest)) { try uploads.begin(length, in: "a") }
    #expect(uploads.count == 0)
  }

  @Test("A part out of order is refused, and the upload goes on", arguments: [1, 3, -1, Int64.max])
  func refusesOrder(offset: Int64) throws {
    let id = try uploads.begin(5, in: "a")
    _ = try uploads.take([1, 2], at: 0, of: id, in: "a")
    #expect(throws: BackupUploadError.outOfOrder(expected: 2)) { try uploads.take([9], at: offset, of: id, in: "a") }
    _ = try uploads.take([3, 4, 5], at: 2, of: id, in: "a")
    #expect(try read(id, "a") == [1, 2, 3, 4, 5])
  }

  @Test("A part that is empty, too long, or longer than the file is refused") func refusesPartLengths() throws {
    let id = try uploads.begin(BackupUploads.largest, in: "a")
    for count in [0, BackupUploads.longestPart + 1] {
      #expect(throws: BackupUploadError.partLength) {
        try uploads.take([UInt8](repeating: 0, count: count), at: 0, of: id, in: "a")
      }
    }
    let short = try uploads.begin(2, in: "b")
    #expect(throws: BackupUploadError.partLength) { try uploads.take([1, 2, 3], at: 0, of: short, in: "b") }
  }

  @Test("A file that has not arrived whole is not read") func refusesIncomplete() throws {
    let id = try uploads.begin(5, in: "a")
    _ = try uploads.take([1], at: 0, of: id, in: "a")
    #expect(throws: BackupUploadError.incomplete(missing: 4)) { try read(id, "a") }
  }

  @Test("Each session has one upload, and all sessions together have few") func limitsUploads() throws {
    let first = try uploads.begin(5, in: "0")
    let second = try uploads.begin(5, in: "0")
    #expect(throws: BackupUploadError.gone) { try uploads.take([1], at: 0, of: first, in: "0") }
    _ = try uploads.take([1], at: 0, of: second, in: "0")
    for session in 1..<BackupUploads.most { _ = try uploads.begin(5, in: "\(session)") }
    #expect(throws: BackupUploadError.tooMany) { try uploads.begin(5, in: "one more") }
    #expect(uploads.count == BackupUploads.most)
    _ = try uploads.begin(5, in: "0")
  }

  @Test("A session cannot add to, read or remove the upload of another") func refusesForeignSessions() throws {
    let id = try uploads.begin(1, in: "a")
    #expect(throws: BackupUploadError.gone) { try uploads.take([1], at: 0, of: id, in: "b") }
    #expect(throws: BackupUploadError.gone) { try read(id, "b") }
    uploads.drop(id, in: "b")
    _ = try uploads.take([1], at: 0, of: id, in: "a")
    #expect(try read(id, "a") == [1])
  }

  @Test("An upload whose parts stop coming ends, and one that goes on stays") func endsIdleUploads() throws {
    let (idle, busy) = (try uploads.begin(2, in: "a"), try uploads.begin(2, in: "b"))
    time.change { $0 += BackupUploads.idleMilliseconds - 1 }
    _ = try uploads.take([1], at: 0, of: busy, in: "b")
    time.change { $0 += 1 }
    uploads.dropOld()
    #expect(uploads.count == 1)
    #expect(throws: BackupUploadError.gone) { try uploads.take([1], at: 0, of: idle, in: "a") }
    _ = try uploads.take([2], at: 1, of: busy, in: "b")
  }

  @Test("One upload is read at a time") func readsOne() throws {
    let ids = try ["a", "b"].map { session in
      let id = try uploads.begin(1, in: session)
      _ = try uploads.take([1], at: 0, of: id, in: session)
      return id
    }
    try uploads.read(ids[0], in: "a") { _ in
      #expect(throws: BackupUploadError.isChecking) { try read(ids[1], "b") }
      #expect(throws: BackupUploadError.isChecking) { try read(ids[0], "a") }
    }
    #expect(try read(ids[1], "b") == [1])
  }

  @Test("A full disk ends the upload and leaves nothing") func fullDisk() throws {
    let full = BackupUploads(in: place.path, now: { 0 }, append: { _, _ in ENOSPC })
    let id = try full.begin(5, in: "a")
    #expect(throws: BackupError.io("writing what was sent", code: ENOSPC)) { try full.take([1], at: 0, of: id, in: "a") }
    #expect(full.count == 0 && place.names.isEmpty)
  }

  @Test("The start removes what a crash left of an upload, and no other file") func leftovers() throws {
    let home = TestHome()
    try Signer(home).close()
    let names = [".holdfast-fetched-aB3dEf", ".holdfast-fetched-full00", ".holdfast-fetched-mine", "notes"]
    for name in names {
      try Data(name.hasSuffix("full00") ? [1] : []).write(to: URL(fileURLWithPath: home.home.path + "/" + name))
    }
    SpoolName.removeLeftovers(in: home.home.path)
    let left = try FileManager.default.contentsOfDirectory(atPath: home.home.path)
    #expect(names.filter(left.contains) == Array(names.dropFirst()))
  }
}

/// The same as operations of a signed-in browser.
@Suite struct BackupUploadOperationTests {
  private let signer: Signer
  init() throws { signer = try Signer() }

  @discardableResult
  private func call(
    _ name: String, _ parameters: JSONValue, secrets: [String: SecretBox] = [:], session: String? = "a"
  ) throws -> JSONValue {
    var request = ControlRequest("backup/upload-" + name, parameters, secrets: secrets)
    request.session = session
    return try signer.operations.perform(request, via: .console).json
  }

  /// Sends a file whole.
  private func send(_ bytes: [UInt8], session: String = "a") throws -> JSONValue {
    let upload = try unwrap(try call("begin", ["length": .integer(Int64(bytes.count))], session: session)["upload"])
    var offset = 0
    while offset < bytes.count {
      let part = Array(bytes[offset..<min(bytes.count, offset + BackupUploads.longestPart)])
      try call(
        "part", ["upload": upload, "offset": .integer(Int64(offset)), "data": .string(Base64URL.string(part))], session: session)
      offset += part.count
    }
    return upload
  }

  private func backup(of signer: Signer) throws -> [UInt8] {
    let made = try signer.operations.perform(ControlRequest("backup/create"), via: .console)
    return try unwrap(made["data"]?.string.flatMap { Base64.decode($0) })
  }

  private var count: Int { signer.operations.services.uploads.count }

  @Test("A backup that a browser sends is described without a credential, then opened, then removed") func checks() throws {
    defer { signer.close() }
    let upload = try send(try backup(of: signer))
    let told = try call("end", ["upload": upload])
    #expect(told["this_vault"] == true && told["number"] == 1 && told["made"]?.integer ?? 0 > 0)
    #expect(try signer.operations.ask("backup/list")["last_tested"]?.isNull == true)
    let found = try call("check", ["upload": upload], secrets: owner)
    #expect(found["proven"] == true && found["sound"] == true && found["identities"]?.array?.count == 1)
    #expect(count == 0)
    #expect(try signer.operations.ask("backup/list")["last_tested"]?.integer ?? 0 > 0)
  }

  @Test("A wrong passphrase leaves the file for another attempt, and counts and waits as at the vault") func throttles() throws {
    defer { signer.close() }
    let upload = try send(try backup(of: signer))
    func fault(_ words: String) -> OperationError? {
      failure { try call("check", ["upload": upload], secrets: ["passphrase": try box(words)]) }
    }
    // On a busy machine the wait can pass before the passphrase is given.
    let hasToWait = (0..<4).contains { _ in
      for _ in 0..<5 { #expect(fault("a guess")?.exit == .locked) }
      return fault(TestHome.passphrase)?.exit == .locked
    }
    #expect(hasToWait && count <= 1)
    #expect(try signer.entries(.vaultOpenFailed).count >= 4)
  }

  @Test("A check without a credential, or with the keyring, is refused and leaves the file") func needsProof() throws {
    defer { signer.close() }
    let upload = try send(try backup(of: signer))
    #expect(failure { try call("check", ["upload": upload]) }?.exit == .usage)
    #expect(failure { try call("check", ["upload": upload, "keyring": true]) } == .keyringIsNoProof)
    #expect(count == 1)
  }

  @Test("A file that is no backup, and one that is cut or goes on, is refused at its end and removed")
  func refusesOtherFiles() throws {
    defer { signer.close() }
    let good = try backup(of: signer)
    for bytes in [Array("some text".utf8), Array(good.dropLast()), good + [0]] {
      let upload = try send(bytes)
      #expect(failure { try call("end", ["upload": upload]) }?.exit == .failed)
      #expect(count == 0)
    }
  }

  @Test("A damaged backup is named, and removed") func refusesDamage() throws {
    defer { signer.close() }
    var bytes = try backup(of: signer)
    bytes[bytes.count - 20] ^= 1
    let upload = try send(bytes)
    try call("end", ["upload": upload])
    let said = failure { try call("check", ["upload": upload], secrets: try owner) }
    #expect(said?.error.contains("damaged") == true && count == 0)
  }

  @Test("A backup of another vault is named and removed, and no passphrase is tried at it") func refusesOtherVaults() throws {
    let other = try Signer()
    let bytes = try backup(of: other)
    other.close()
    defer { signer.close() }
    let upload = try send(bytes)
    let told = try call("end", ["upload": upload])
    #expect(told["this_vault"] == false && told["made"]?.isNull == true && count == 0)
    let unasked = try send(bytes)
    #expect(failure { try call("check", ["upload": unasked], secrets: try owner) }?.exit == .usage)
  }

  /// Whoever sits at an open browser can make a file that names this vault, under keys of their own.
  @Test("A backup under other keys than the vault's does not count as the owner's test") func otherKeys() throws {
    defer { signer.close() }
    let (place, home) = (try Place(), TestHome())
    try place.write(try backup(of: signer), "one.hfb")
    let restorable = try RestorableBackup(
      ReadableBackup(file: place.path + "/one.hfb"), .passphrase(try box(TestHome.passphrase)))
    _ = try restorable.restore(to: home.home, newPassphrase: nil, cost: .floor)
    let other = try Signer(home)
    try other.operations.ask("slot/rotate", secrets: owner)
    let bytes = try backup(of: other)
    other.close()
    let upload = try send(bytes)
    let told = try call("end", ["upload": upload])
    #expect(told["this_vault"] == true && told["made"]?.isNull == true)
    #expect(try call("check", ["upload": upload], secrets: owner)["proven"] == true)
    #expect(try signer.operations.ask("backup/list")["last_tested"]?.isNull == true)
    #expect(try signer.entries(.backupVerified).isEmpty)
  }

  @Test("Locking removes every upload, and a locked signer takes none") func locking() throws {
    defer { signer.close() }
    let bytes = try backup(of: signer)
    let upload = try send(bytes)
    signer.core.sessionLock.lock("a test")
    #expect(count == 0)
    for (name, parameters) in [
      ("begin", ["length": 1]), ("part", ["upload": upload, "offset": 0, "data": "AA"]), ("end", ["upload": upload]),
      ("check", ["upload": upload]),
    ] as [(String, JSONValue)] {
      #expect(failure { try call(name, parameters, secrets: name == "check" ? try owner : [:]) }?.exit == .locked, "\(name)")
    }
    try signer.operations.ask("unlock", secrets: owner)
    #expect(failure { try call("end", ["upload": upload]) }?.exit == .notFound)
  }

  @Test("Only a browser's session sends backups, and another session cannot use what it sent") func sessions() throws {
    defer { signer.close() }
    #expect(failure { try call("begin", ["length": 1], session: nil) }?.exit == .usage)
    let upload = try send(try backup(of: signer))
    #expect(failure { try call("check", ["upload": upload], secrets: try owner, session: "b") }?.exit == .notFound)
    try call("cancel", ["upload": upload], session: "b")
    #expect(count == 1)
    try call("cancel", ["upload": upload])
    #expect(count == 0)
  }

  @Test("A part that is not base64url is refused") func refusesOtherTexts() throws {
    defer { signer.close() }
    let upload = try unwrap(try call("begin", ["length": 3])["upload"])
    #expect(failure { try call("part", ["upload": upload, "offset": 0, "data": "!!!!"]) }?.exit == .usage)
    #expect(count == 1)
  }
}
