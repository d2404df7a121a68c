import AuditLog
import Curve
import Encodings
import Glibc
import SecretMemory

// LogBench append|verify|open|prove COUNT FOLDER
//   append  makes a log of so many entries, in the file and not synced one by one; prints µs an entry
//   verify  checks every byte and hash of it; open: and opens every entry; prints ms
//   prove   makes the proof of the entry in the middle; prints ms
// With COUNT 0 nothing is done: callgrind takes the difference.

func keys() throws -> AuditKeys? {
  let secret = SecretBox(try SecretBytes(count: 32) { for index in 0..<32 { $0[index] = 7 } })
  let seed = SecretBox(try SecretBytes(count: 32) { for index in 0..<32 { $0[index] = 9 } })
  return AuditKeys(sealing: try secret.duplicate(), signing: seed) { secret }
}

func milliseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

func entry(_ number: Int) -> AuditEntry {
  let key = PublicKey(Bytes32 { $0[0] = UInt8(truncatingIfNeeded: number) })
  return AuditEntry(
    time: 1_700_000_000_000 + Int64(number), kind: .requestDecided, identity: key, client: key,
    requestID: Bytes32 { $0.storeBytes(of: number, as: Int.self) }, requestCreatedAt: 1_700_000_000, method: .signEvent,
    eventKind: 1,
    decision: .allow, rule: "medium-allows")
}

guard CommandLine.arguments.count == 4, let count = Int(CommandLine.arguments[2]), let keys = try keys() else { exit(2) }
let folder = CommandLine.arguments[3]
let before = milliseconds()
switch CommandLine.arguments[1] {
case "append":
  let log = try AuditLog.open(folder: folder, keys: keys, now: 0)
  var number = 0
  while number < count {
    for _ in 0..<min(512, count - number) {
      try log.note(entry(number))
      number += 1
    }
    try log.appendAndWait(entry(number))
    number += 1
  }
  log.close()
  print((milliseconds() - before) * 1e3 / Double(max(1, number)))
case "prove":
  let log = try AuditLog.open(folder: folder, keys: keys, now: 0)
  let start = milliseconds()
  if count > 0 { _ = try log.proof(of: log.count / 2) }
  print(milliseconds() - start)
  log.close()
default:
  guard count > 0 else { break }
  let found = try AuditLog.verify(folder: folder, keys: CommandLine.arguments[1] == "open" ? keys : nil)
  guard found.fault == nil else { exit(1) }
  print(milliseconds() - before)
}
