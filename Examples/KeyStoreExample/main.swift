// Stores a secret in a vault, reads it while unlocked, and is refused while locked.
import Ciphers
import Glibc
import SecretMemory
import Vault

guard CommandLine.arguments.count == 2 else {
  print("usage: KeyStoreExample FOLDER")
  exit(2)
}
let folder = CommandLine.arguments[1]

/// As a program would read it from a terminal: bytes that are wiped.
func passphrase() throws -> SecretBytes {
  var typed = Array("an example passphrase".utf8)
  return try SecretBytes(wiping: &typed)
}

// `Argon2Calibration.cost()` measures this machine; an example is to be quick.
let vault =
  Vault.exists(home: folder)
  ? try Vault.open(home: folder, passphrase: passphrase(), now: Int64(time(nil)) * 1000)
  : try Vault.create(home: folder, passphrase: passphrase(), cost: .interactive)
defer { vault.close() }

let store = KeyStore(vault)
let name = try ItemName(service: "org.example.mail", account: "alice")

var typed = Array("a password".utf8)
try store.put(SecretBytes(wiping: &typed), as: name, permissions: .whenUnlocked, label: "Mail")
print("stored:", try store.list().map(\.label))

let secret = try store.retrieve(name)
print("read:", secret.count, "bytes")

vault.lock()
do throws(KeyStoreError) { _ = try store.retrieve(name) } catch { print("while locked:", error) }
print("and yet known to be there:", try store.exists(name))

try vault.unlock(passphrase: passphrase(), now: Int64(time(nil)) * 1000)
try store.delete(name)
do throws(KeyStoreError) { _ = try store.retrieve(name) } catch { print("deleted:", error) }
