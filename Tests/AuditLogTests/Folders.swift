import Curve
import Encodings
import Foundation
import SecretMemory

@testable import AuditLog

/// The secret half of the sealing key of every log in these tests, and their keys.
let testKey = SecretBox(try! SecretBytes(count: 32) { $0.fill(7) })  // 32 bytes of memory are there
let testKeys = keys()

/// Keys of which one half may be others, or that are locked.
func keys(sealing: UInt8 = 7, signing: UInt8 = 9, isLocked: Bool = false) -> AuditKeys {
  let secret = try! SecretBytes(count: 32) { $0.fill(sealing) }  // as above
  let seed = SecretBox(try! SecretBytes(count: 32) { $0.fill(signing) })  // as above
  return AuditKeys(sealing: secret, signing: seed) { isLocked ? nil : testKey }!  // both have 32 bytes
}

/// A folder that is gone when its last owner is.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-audit-\(UUID().uuidString)").path
    try? FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var log: String { path + "/audit.log" }
  var head: String { path + "/audit.head" }

  func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

  func write(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
}

func entry(_ number: Int, kind: AuditEntry.Kind = .requestDecided) -> AuditEntry {
  AuditEntry(
    time: 1_700_000_000_000 + Int64(number), kind: kind, identity: PublicKey(Bytes32 { $0.fill(1) }),
    client: PublicKey(Bytes32 { $0.fill(UInt8(truncatingIfNeeded: number % 3)) }), requestID: id(number),
    requestCreatedAt: 1_700_000_000 + Int64(number), method: .signEvent, eventKind: 1, decision: .allow,
    rule: "kind 1 under full trust")
}

func id(_ number: Int) -> Bytes32 {
  Bytes32 { $0.storeBytes(of: UInt64(number).bigEndian, as: UInt64.self) }
}

extension UnsafeMutableRawBufferPointer {
  func fill(_ byte: UInt8) { for index in indices { self[index] = byte } }
}

/// A log of `count` entries in a fresh folder, closed.
func closedLog(_ count: Int) throws -> TemporaryFolder {
  let folder = TemporaryFolder()
  let log = try AuditLog.open(folder: folder.path, keys: testKeys, now: 0)
  for number in 1...count { try log.appendAndWait(entry(number)) }
  log.close()
  return folder
}

/// Where each record starts, and where the last one ends.
func offsets(of bytes: [UInt8]) -> [Int] {
  var offsets = [Int(LogLayout.firstRecord)]
  while let last = offsets.last, last + 4 <= bytes.count {
    offsets.append(last + bytes[last..<last + 4].reduce(0) { $0 << 8 | Int($1) })
  }
  return offsets
}

extension TemporaryFolder {
  func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }
}
