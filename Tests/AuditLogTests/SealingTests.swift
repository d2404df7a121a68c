import Ciphers
import Encodings
import Foundation
import SecretMemory
import Testing

@testable import AuditLog

@Suite struct SealingTests {
  /// Who finds the disk reads no key, no id, no rule: nothing that was recorded.
  @Test("The log file contains nothing unencrypted") func nothingThatWasRecordedStandsInTheFileInClear() throws {
    let folder = try closedLog(3)
    let files = try folder.bytes(folder.log) + folder.bytes(folder.head)
    let recorded: [[UInt8]] = [
      id(2).array, [UInt8](repeating: 1, count: 32), Array("kind 1 under full trust".utf8),
      withUnsafeBytes(of: entry(2).time.bigEndian) { Array($0) },
    ]
    for bytes in recorded { #expect(Data(files).range(of: Data(bytes)) == nil) }
  }

  @Test("A locked log accepts entries, but nobody can read them until it is unlocked")
  func theLogIsWrittenWhileLockedAndReadOnlyAfterwards() throws {
    let folder = try closedLog(1)
    let log = try AuditLog.open(folder: folder.path, keys: keys(isLocked: true), now: 0)
    #expect(try log.appendAndWait(entry(2)) == 2)
    #expect(throws: AuditLogError.locked) { try log.tail(1) }
    #expect(throws: AuditLogError.locked) { try log.recentEvents(since: 0) }
    #expect(throws: AuditLogError.locked) { try log.dropContent(olderThan: .max, now: 0) }
    #expect(try log.proof(of: 2).proof.size == 2, "a proof needs no key")
    log.close()
    let found = try AuditLog.verify(folder: folder.path, keys: keys(isLocked: true))
    #expect(found.fault == nil && found.entries == 2 && !found.isOpened)
    #expect(try AuditReader(folder: folder.path, key: testKey).tail(9).map(\.entry) == [entry(1), entry(2)])
  }

  @Test("A failed attempt to open the vault is recorded without any key")
  func anAttemptBeforeTheVaultIsOpenIsRecordedWithoutAnyKey() throws {
    let folder = try closedLog(2)
    let head = try folder.bytes(folder.head)
    let log = try AuditLog.open(recordingIn: folder.path, now: 0)
    try log.appendAndWait(AuditEntry(time: 5, kind: .vaultOpenFailed, error: .wrongPassphrase))
    #expect(throws: AuditLogError.locked) { try log.checkpoint() }
    log.close()
    #expect(try folder.bytes(folder.head) == head, "who cannot sign leaves the head as it is")
    let again = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    #expect(try again.tail(1).first?.entry.kind == .vaultOpenFailed)
    again.close()
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).entries == 3)
    #expect(throws: AuditLogError.fault(.missing)) { try AuditLog.open(recordingIn: TemporaryFolder().path, now: 0) }
  }

  /// Whoever reads the daemon's memory has the state of the running epoch: it opens what comes, nothing that was.
  @Test("The key state of a running signer does not open earlier entries") func aStolenStateOpensNoEarlierEntry() throws {
    let header = LogHeader(
      logID: [UInt8](repeating: 1, count: 16), sealingKey: testKeys.sealingKey, signingKey: testKeys.signer.publicKey)
    func keys(skipping count: Int) throws -> [Bytes32] {
      let seed = try SecretBytes(count: 32) { $0.fill(3) }
      let ratchet = try Ratchet(seed: seed, of: header)
      for _ in 0..<count { ratchet.skip() }
      return (count..<6).map { _ in ratchet.withNextKey { Bytes32(copying: $0)! } }  // 32 bytes
    }
    let all = try keys(skipping: 0)
    #expect(Set(all).count == 6)
    #expect(try keys(skipping: 4) == Array(all[4...]))
    // The state after four entries is the hash of the one before: no earlier key is among what can be computed from it.
    var state = SHA256.digest(of: [UInt8](repeating: 3, count: 32) + header.digest.array)
    for key in all {
      #expect(key == SHA256.digest(of: state.array + [1]))
      state = SHA256.digest(of: state.array + [2])
    }
  }

  @Test("No key encrypts two entries") func noKeySealsTwice() throws {
    let folder = TemporaryFolder()
    for _ in 0..<3 {
      let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
      for number in 1...600 { log.append(entry(number)) { _ in } }
      try log.appendAndWait(AuditEntry(time: entry(1).time + 90_000_000, kind: .daemonStarted))  // a day later
      log.close()
    }
    let store = try LogStore(LogFile(folder.log, flags: 0))
    var scanner = ForwardScanner(store, after: 0, at: store.layout.start, to: try store.size())
    var (seeds, steps) = ([[UInt8]](), [UInt32]())
    while case .record(let record) = try scanner.next() {
      steps.append(record.step)
      if let epoch = record.epoch { seeds.append(epoch.sealedSeed) }
    }
    #expect(Set(seeds).count == 9 && seeds.count == 9, "three at each opening: 512 entries, the rest, a day later")
    #expect(steps.max() == EntrySealer.entriesPerEpoch - 1)
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).entries == 3 * 601)
  }

  @Test("The length of an encrypted entry reveals little") func lengthsTellLittle() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    for kind in AuditEntry.Kind.allCases { try log.appendAndWait(AuditEntry(time: 1, kind: kind)) }
    var long = entry(1)
    long.time = 1
    try log.appendAndWait(long)
    log.close()
    let at = offsets(of: try folder.bytes(folder.log))
    let lengths = zip(at.dropFirst(), at).map { $0 - $1 }
    #expect(lengths.allSatisfy { ($0 - RecordFormat.minimumLength) % RecordFormat.padding == 0 || $0 == lengths[0] })
    #expect(RecordFormat.minimumLength == 136 && RecordFormat.maximumLength == 600)
  }

  /// Format stability: these bytes are on people's disks.
  @Test("The header of the log keeps its published bytes") func aKnownHeaderAndKeyHaveKnownBytes() {
    let header = LogHeader(logID: [UInt8](0..<16), sealingKey: testKeys.sealingKey, signingKey: testKeys.signer.publicKey)
    #expect(
      Hex.encode(Array(header.bytes.prefix(32))) == "4846415544495400" + "00000002" + "00000000"
        + "000102030405060708090a0b0c0d0e0f")
    #expect(header.bytes.count == 128 && LogLayout.firstRecord == 152)
    #expect(header.origin == "holdfast.local/log/" + Hex.encode(Array(SHA256.digest(of: header.bytes).array.prefix(16))))
  }
}
