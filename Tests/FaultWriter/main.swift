import AuditLog
import Ciphers
import Platform
import SecretMemory
import Vault

// The child of the kill tests: does one thing without end until it is killed, and prints a number for each thing that was promised.
//   vault FOLDER    opens the vault (passphrase "kill") and writes records in pairs, one transaction each
//   create FOLDER   makes a vault, prints 1 when it is there, and waits
//   add, remove, passphrase, rotate, rewrite, create, backup, restore, seal FOLDER N
//                   one change of the vault, ended at the N-th call that changes the disk (SlotSteps.swift)
//   audit FOLDER    opens the log and appends, several entries in flight

func passphrase() throws -> SecretBytes {
  var bytes = Array("kill".utf8)
  return try SecretBytes(wiping: &bytes)
}

func promise(_ number: UInt64) {
  let line = Array("\(number)\n".utf8)
  if write(1, line, line.count) != line.count { exit(1) }
}

func now() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) * 1000
}

func writeRecords(_ home: String) throws {
  let vault = try Vault.open(home: home, passphrase: passphrase(), now: now(), kinds: .written)
  var number = try vault.records(.setting).count
  while true {
    number += 1
    let id = Array("\(number)".utf8)
    let key = SecretBox(try SecretBytes(randomCount: 32))
    try vault.transaction([
      .put(.setting, id, [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number % 3000)),
      .put(.pairingKey, id, key, .afterFirstUnlock),
    ])
    promise(UInt64(number))
  }
}

/// The keys of the log tests' logs.
func testKeys() throws -> AuditKeys? {
  func key(_ byte: UInt8) throws -> SecretBytes { try SecretBytes(count: 32) { for index in 0..<32 { $0[index] = byte } } }
  return AuditKeys(sealing: try key(7), signing: SecretBox(try key(9))) { nil }
}

func appendEntries(_ folder: String) throws {
  guard let testKeys = try testKeys() else { exit(1) }
  let log = try AuditLog.open(folder: folder, keys: testKeys, now: now())
  while true {
    for _ in 0..<7 {
      log.append(AuditEntry(time: now(), kind: .requestDecided, amount: 1)) { result in
        if case .success(let sequence) = result { promise(sequence) }
      }
    }
    promise(try log.appendAndWait(AuditEntry(time: now(), kind: .requestDone)))
  }
}

let folder = CommandLine.arguments[2]
switch CommandLine.arguments[1] {
case "vault": try writeRecords(folder)
case "audit": try appendEntries(folder)
case let step where CommandLine.arguments.count > 3:
  guard let step = SlotStep(rawValue: step), let call = Int(CommandLine.arguments[3]) else { exit(2) }
  try step.run(folder, endingAt: call)
default:
  let vault = try Vault.create(home: folder, passphrase: passphrase(), cost: .floor)
  promise(1)
  vault.close()
  var byte: UInt8 = 0
  _ = read(0, &byte, 1)  // stays to be killed, and ends with its parent
}
