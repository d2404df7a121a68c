import Foundation
import Platform
import Sockets
import Testing

@testable import PushProxy

@Suite("The file of the push proxy") struct RegistrationsFileTests {
  private let folder = DataFolder()

  private func fault(_ schema: RegistrationsSchema = .current) -> RegistrationsError? {
    do { _ = try Registrations(folder: folder.path, limits: .init(), schema: schema) } catch { return error }
    return nil
  }

  /// A registrations file with one registered device. It is closed.
  private func filled() throws {
    let registrations = try Registrations(folder: folder.path)
    try registrations.register(device(1), for: numbered(1), now: 1)
  }

  @Test("Only the operator may read the folder and what is in it") func modes() throws {
    let registrations = try Registrations(folder: folder.path)
    try registrations.register(device(1), for: numbered(1), now: 1)
    #expect(try folder.mode("") == 0o700)
    for name in ["push.sqlite", "push.sqlite-wal", "push.sqlite-shm", "push.lock"] {
      #expect(try folder.mode("/" + name) == 0o600, "\(name)")
    }
  }

  @Test("Each change is written through to the disk before its call returns") func synced() throws {
    let registrations = try Registrations(folder: folder.path)
    try registrations.writer.withLock { writer throws in
      #expect(try writer.database.number("PRAGMA synchronous") == 2)
      #expect(try writer.database.rows("PRAGMA journal_mode") { $0.string(0) } == ["wal"])
    }
  }

  @Test("After an end the one file has everything") func folded() throws {
    try filled()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["push.lock", "push.sqlite"])
    let copy = DataFolder()
    try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: folder.file, toPath: copy.file)
    #expect(try Registrations(folder: copy.path).counts.targets == 1)
  }

  @Test("The folder may be named by a link, as systemd does for a service with a user of its own") func linked() throws {
    try filled()
    let link = folder.path + "-link"
    defer { try? FileManager.default.removeItem(atPath: link) }
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
    #expect(try Registrations(folder: link).counts.targets == 1)
  }

  @Test("Two proxies cannot share a folder") func locked() throws {
    let first = try Registrations(folder: folder.path)
    #expect(fault() == .inUse(pid: getpid()))
    withExtendedLifetime(first) {}
  }

  @Test("Another program's file is refused and not changed") func foreign() throws {
    try filled()
    let good = try folder.bytes()
    for bytes in [Array("hello".utf8), [], good.enumerated().map { $0.offset == 68 ? $0.element ^ 1 : $0.element }] {
      try folder.write(bytes)
      #expect(fault() == .notOurs)
      #expect(try folder.bytes() == bytes)
    }
    try folder.write(good)
    #expect(fault() == nil)
  }

  @Test("A damaged file is refused and not changed") func damaged() throws {
    let registrations = try Registrations(folder: folder.path)
    for number in 1...200 { try registrations.register(device(number), for: numbered(number), now: 1) }
    let copy = try folder.asKilled()
    _ = try Registrations(folder: copy.path)  // folds the write-ahead log into the file
    var bytes = try copy.bytes()
    #expect(bytes.count > 16_384)
    for index in 8_192..<12_288 { bytes[index] = 0xA5 }
    try copy.write(bytes)
    #expect(throws: RegistrationsError.damaged) { _ = try Registrations(folder: copy.path) }
    #expect(try copy.bytes() == bytes)
    try copy.write(Array(bytes.prefix(10_000)))
    #expect(throws: RegistrationsError.damaged) { _ = try Registrations(folder: copy.path) }
    withExtendedLifetime(copy) {}
  }

  @Test("A row that its index does not have is damage, too: no look-up would find it") func rowOutOfPlace() throws {
    do {
      let registrations = try Registrations(folder: folder.path)
      for number in 1...200 { try registrations.register(device(number), for: numbered(number), now: 1) }
    }
    let bytes = try folder.bytes()
    let text = Array(try device(77).place.utf8)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: text) })
    try folder.write(bytes[..<place] + [UInt8(ascii: "9")] + bytes[(place + 1)...])
    #expect(fault() == .damaged)
    try folder.write(bytes)
    #expect(fault() == nil)
  }

  @Test("A symbolic link, a second name and a journal beside the file are refused") func links() throws {
    try filled()
    try folder.write([1], "-journal")
    #expect(fault() == .notOurs)
    unlink(folder.file + "-journal")
    link(folder.file, folder.file + ".second")
    #expect(fault() == .notOurs)
    unlink(folder.file)
    symlink(folder.file + ".second", folder.file)
    #expect(fault() == .notOurs)
  }

  @Test("A file of an earlier version is brought to the present one, and a later one is refused") func migrates() throws {
    try filled()
    let current = RegistrationsSchema.current.versions
    let added: StaticString = "CREATE TABLE later (one INTEGER)"
    let next = RegistrationsSchema(
      versions: current + [.init(migration: [added], schema: current[0].schema + [added])])
    do {
      let registrations = try Registrations(folder: folder.path, limits: .init(), schema: next)
      #expect(try registrations.targets(of: numbered(1)).count == 1)
    }
    #expect(fault(next) == nil)
    #expect(fault() == .newerVersion(found: 2))
  }

  @Test("A table that somebody added is refused") func tables() throws {
    try filled()
    let current = RegistrationsSchema.current.versions[0]
    let added: StaticString = "CREATE TRIGGER t AFTER INSERT ON registrations BEGIN DELETE FROM pairs; END"
    let other = RegistrationsSchema(versions: [.init(migration: current.schema + [added], schema: current.schema + [added])])
    #expect(fault(other) == .notOurs)
    unlink(folder.file)
    #expect(fault(other) == nil)
    #expect(fault() == .notOurs)
  }

  @Test("Each fault has a sentence for the operator") func sentences() {
    let faults: [RegistrationsError] = [
      .inUse(pid: 7), .notOurs, .damaged, .newerVersion(found: 9), .outOfMemory, .io(.syncing, code: 5),
    ]
    #expect(Set(faults.map(\.message)).count == faults.count)
    #expect(faults.allSatisfy { $0.message.hasSuffix(".") || $0.message.hasSuffix(").") })
  }

  @Test("A full disk refuses what it does not take, and loses nothing") func fullDisk() async {
    await #expect(processExitsWith: .success) {
      let folder = DataFolder()
      let registrations = try Registrations(folder: folder.path)
      try registrations.register(device(0), for: numbered(0), now: 1)
      var stored: [Int] = [0]
      try withFiles(below: try folder.bytes("-wal").count + 40_000) {
        for number in 1...100 {
          let target = try device(number)
          let refusal = refused { () throws(ProxyRefusal) in try registrations.register(target, for: numbered(number), now: 1) }
          if refusal == nil { stored.append(number) } else { #expect(refusal?.name == .notStored && refusal?.status == 503) }
        }
      }
      #expect(stored.count > 1 && stored.count < 100)
      #expect(try registrations.keys() == stored.map(numbered) && registrations.counts.targets == stored.count)
      try registrations.register(device(200), for: numbered(200), now: 1)
      #expect(registrations.counts == .init(targets: stored.count + 1, keys: stored.count + 1))
      let left = try folder.asKilled()
      defer { withExtendedLifetime(left) {} }
      #expect(try Registrations(folder: left.path).keys() == (stored + [200]).map(numbered))
    }
  }
}
