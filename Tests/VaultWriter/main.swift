import Ciphers
import Glibc
import SecretMemory
import Vault

// The child of the kill tests: opens the vault of the folder named first with the passphrase "kill", and writes records in pairs
// without end. After each transaction it prints the number, so that the parent knows what it was promised.

func passphrase() throws -> SecretBytes {
  var bytes = Array("kill".utf8)
  return try SecretBytes(wiping: &bytes)
}

let home = CommandLine.arguments[1]
var time = timespec()
clock_gettime(CLOCK_REALTIME, &time)
let vault = try Vault.open(home: home, passphrase: passphrase(), now: Int64(time.tv_sec) * 1000)
var number = try vault.records(.setting).count
while true {
  number += 1
  let id = Array("\(number)".utf8)
  let key = SecretBox(try SecretBytes(randomCount: 32))
  try vault.transaction([
    .put(.setting, id, [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number % 3000)),
    .put(.pairingKey, id, key, .afterFirstUnlock),
  ])
  let line = Array("\(number)\n".utf8)
  guard write(1, line, line.count) == line.count else { exit(1) }
}
