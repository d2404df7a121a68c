import Encodings
import Testing

@testable import AuditLog

/// Somebody who may write the folder and knows the format, but has no key of the log: neither the one that signs nor the one of
/// the running epoch.
@Suite struct ForgeryTests {
  /// A log and head written anew with the forger's own keys.
  @Test("A log that was written with other keys is detected") func aLogUnderOtherKeysIsFound() throws {
    let folder = TemporaryFolder()
    let forged = try AuditLog.open(folder: folder.path, keys: keys(sealing: 7, signing: 66), now: 0)
    try forged.appendAndWait(entry(1))
    forged.close()
    #expect(try AuditLog.verify(folder: folder.path).fault == nil, "by itself it is a log like any other")
    #expect(try AuditLog.verify(folder: folder.path, keys: testKeys).fault == .otherKeys)
    #expect(throws: AuditLogError.fault(.otherKeys)) { try AuditLog.open(folder: folder.path, keys: testKeys, now: 0) }
  }

  /// Records that look right, under the log's own header, in an epoch of the forger's.
  private func forge(
    _ folder: TemporaryFolder, after position: LogPosition, signedBy signing: UInt8?, _ entries: [AuditEntry]
  ) throws
    -> [UInt8]
  {
    let header = try LogStore(LogFile(folder.log, flags: 0)).header
    var (bytes, position) = ([UInt8](), position)
    var sealer = EntrySealer(header, signing.map { keys(signing: $0).signer })
    for entry in entries { try sealer.append(entry, at: &position, to: &bytes) }
    return bytes
  }

  @Test("Entries that were rewritten after the head was signed are detected")
  func entriesWrittenAnewUnderTheHeadAreFound() throws {
    let folder = try closedLog(3)
    let original = try folder.bytes(folder.log)
    let header = try LogStore(LogFile(folder.log, flags: 0)).header
    for signing in [UInt8?.none, 66] {
      let forged = try forge(folder, after: header.start, signedBy: signing, (1...3).map { entry($0 + 100) })
      try folder.write(Array(original.prefix(Int(LogLayout.firstRecord))) + forged, to: folder.log)
      let fault = try #require(try AuditLog.verify(folder: folder.path).fault)
      let expected: AuditIntegrityError = signing == nil ? .notAsSigned(from: 1, to: 3) : .notAsSigned(from: 1, to: 1)
      #expect(fault == expected)
      #expect(throws: AuditLogError.fault(.notAsSigned(from: 1, to: 3))) {
        try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
      }
    }
  }

  @Test("Forged entries behind the head are detected") func entriesAddedBehindTheHeadAreFound() throws {
    let folder = try closedLog(3)
    let original = try folder.bytes(folder.log)
    let end = try OpenedLog(reading: LogFolder(path: folder.path)).position
    // Signed with another key: seen without any key of ours.
    try folder.write(original + forge(folder, after: end, signedBy: 66, [entry(4)]), to: folder.log)
    #expect(try AuditLog.verify(folder: folder.path).fault == .notAsSigned(from: 4, to: 4))
    #expect(throws: AuditLogError.fault(.notAsSigned(from: 4, to: 4))) {
      try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    }
    // Not signed, as before the vault is open: only an attempt to open it may be told that way.
    try folder.write(original + forge(folder, after: end, signedBy: nil, [entry(4)]), to: folder.log)
    #expect(
      try AuditLog.verify(folder: folder.path, keys: testKeys).fault
        == .entry(sequence: 4, offset: UInt64(original.count), .forged))
    #expect(throws: AuditLogError.self) { try AuditReader(folder: folder.path, key: testKey).tail(1) }
  }

  /// An entry of the running epoch cannot be made without its key, however right its hashes are.
  @Test("An entry with correct hashes but a wrong seal is detected") func anEntryWithRightHashesAndNoSealIsFound() throws {
    let folder = TemporaryFolder()
    let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    let oldHead = try folder.bytes(folder.head)
    for number in 1...3 { try log.appendAndWait(entry(number)) }
    log.close()
    try folder.write(oldHead, to: folder.head)
    var bytes = try folder.bytes(folder.log)
    let at = offsets(of: bytes)
    bytes[at[1] + 40] ^= 1
    let leaf = bytes[(at[1] + RecordFormat.leafOffset)..<(at[2] - RecordFormat.endLength)]
    bytes.replaceSubrange(at[2] - 36..<at[2] - 4, with: leaf.withUnsafeBytes { MerkleTree.leafHash($0) }.array)
    try folder.write(bytes, to: folder.log)
    #expect(try AuditLog.verify(folder: folder.path).fault == nil, "hashes alone do not tell")
    let found = try AuditLog.verify(folder: folder.path, keys: testKeys)
    #expect(found.fault == .entry(sequence: 2, offset: UInt64(at[1]), .forged) && found.entries == 1)
  }
}

/// What the vault noted is compared: who puts back an old log with its old head is found.
@Suite struct RollbackTests {
  private struct Noted {
    let folder = TemporaryFolder()
    let oldLog: [UInt8], oldHead: [UInt8]
    let anchor: AuditAnchor
  }

  /// A log of five entries, and a copy from when it had three.
  private func noted() throws -> Noted {
    let folder = TemporaryFolder()
    var log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    for number in 1...3 { try log.appendAndWait(entry(number)) }
    log.close()
    let (oldLog, oldHead) = (try folder.bytes(folder.log), try folder.bytes(folder.head))
    log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
    for number in 4...5 { try log.appendAndWait(entry(number)) }
    let anchor = try #require(log.anchor())
    log.close()
    let noted = Noted(oldLog: oldLog, oldHead: oldHead, anchor: anchor)
    try noted.folder.write(folder.bytes(folder.log), to: noted.folder.log)
    try noted.folder.write(folder.bytes(folder.head), to: noted.folder.head)
    return noted
  }

  private func expect(_ fault: AuditIntegrityError?, _ noted: Noted) throws {
    let path = noted.folder.path
    #expect(try AuditLog.verify(folder: path, keys: testKeys, anchor: noted.anchor).fault == fault)
    if let fault {
      #expect(throws: AuditLogError.fault(fault)) {
        try AuditLog.open(folder: path, keys: testKeys, anchor: noted.anchor, now: 0)
      }
    } else {
      try AuditLog.open(folder: path, keys: testKeys, anchor: noted.anchor, now: 0).close()
    }
  }

  @Test("The anchor is read back as it was written") func theAnchorIsStoredAndReadBack() throws {
    let anchor = try noted().anchor
    #expect(AuditAnchor(anchor.bytes) == anchor && anchor.count == 5)
    #expect(AuditAnchor(anchor.bytes + [0]) == nil && AuditAnchor(anchor.bytes.dropLast()) == nil && AuditAnchor([]) == nil)
  }

  @Test("An unchanged log agrees with the vault") func anUntouchedLogIsAsTheVaultKnows() throws { try expect(nil, noted()) }

  @Test("A log and a head that were restored from an older copy are detected")
  func bothFilesPutBackFromAnOlderCopyAreFound() throws {
    let noted = try noted()
    try noted.folder.write(noted.oldLog, to: noted.folder.log)
    try noted.folder.write(noted.oldHead, to: noted.folder.head)
    #expect(try AuditLog.verify(folder: noted.folder.path, keys: testKeys).fault == nil, "by itself it is sound")
    try expect(.behindTheVault(known: 5, found: 3), noted)
  }

  @Test("An older head together with a log that lost its end is detected") func anOldHeadWithTheEndCutOffCleanlyIsFound() throws {
    let noted = try noted()
    try noted.folder.write(noted.oldHead, to: noted.folder.head)
    try expect(nil, noted)
    let now = try noted.folder.bytes(noted.folder.log)
    try noted.folder.write(Array(now[..<offsets(of: now)[4]]), to: noted.folder.log)
    try noted.folder.write(noted.oldHead, to: noted.folder.head)
    try expect(.behindTheVault(known: 5, found: 4), noted)
  }

  @Test("A removed log is detected") func aRemovedLogIsFound() throws {
    let noted = try noted()
    try noted.folder.remove(noted.folder.log)
    try noted.folder.remove(noted.folder.head)
    try expect(.behindTheVault(known: 5, found: 0), noted)
  }

  @Test("Another log with the right keys is detected") func aLogBegunAnewWithTheRightKeysIsFound() throws {
    let (noted, other) = (try noted(), try closedLog(9))
    try noted.folder.write(other.bytes(other.log), to: noted.folder.log)
    try noted.folder.write(other.bytes(other.head), to: noted.folder.head)
    try expect(.notTheVaultsLog, noted)
  }

  /// With the signing key, as somebody has it who could once read the daemon's memory.
  @Test("A different history that was written with the right keys is detected")
  func anotherHistoryUnderTheRightKeysIsFound() throws {
    let noted = try noted()
    try noted.folder.write(noted.oldLog, to: noted.folder.log)
    try noted.folder.write(noted.oldHead, to: noted.folder.head)
    let log = try AuditLog.open(folder: noted.folder.path, keys: testKeys, now: 0)
    for number in 14...17 { try log.appendAndWait(entry(number)) }
    log.close()
    #expect(try AuditLog.verify(folder: noted.folder.path, keys: testKeys).fault == nil)
    let found = try AuditLog.verify(folder: noted.folder.path, keys: testKeys, anchor: noted.anchor)
    #expect(found.fault == .notAsTheVaultKnows(from: 4, to: 5))
    #expect(throws: AuditLogError.self) {
      try AuditLog.open(folder: noted.folder.path, keys: testKeys, anchor: noted.anchor, now: 0)
    }
  }
}
