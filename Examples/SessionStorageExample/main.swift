// Keeps what a service gave the user over a restart of the program; another policy than it was saved under is refused.
import Ciphers
import Glibc
import SecretMemory
import Vault

guard CommandLine.arguments.count == 2 else {
  print("usage: SessionStorageExample FOLDER")
  exit(2)
}
let folder = CommandLine.arguments[1]

func passphrase() throws -> SecretBytes {
  var typed = Array("an example passphrase".utf8)
  return try SecretBytes(wiping: &typed)
}

func secret(_ text: String) throws -> SecretBox {
  var bytes = Array(text.utf8)
  return SecretBox(try SecretBytes(wiping: &bytes))
}

let now = Int64(time(nil)) * 1000
do {
  let vault = try Vault.create(home: folder, passphrase: passphrase(), cost: .interactive)
  defer { vault.close() }
  let storage = try SessionStorage(in: KeyStore(vault), service: "org.example.wallet")
  var session = ExportedSession(expiresAt: now + 3_600_000)
  (session.id, session.user, session.server) = ("s-1", "alice", "https://wallet.example.org")
  session.accessToken = try secret("a token")
  session.viewingKey = try secret("a viewing key")
  try storage.save(session, under: .whenUnlocked)
  print("saved")
}

// The program starts again.
let vault = try Vault.open(home: folder, passphrase: passphrase(), now: now)
defer { vault.close() }
let storage = try SessionStorage(in: KeyStore(vault), service: "org.example.wallet")
do throws(SessionStorageError) { _ = try storage.restore(under: .afterFirstUnlock) } catch {
  print("under another policy:", error)
}
print("restored:", try storage.restore(under: .whenUnlocked).user)
print("the viewing key alone:", try storage.secret(.viewingKey, under: .whenUnlocked).count, "bytes")

try storage.clear()
do throws(SessionStorageError) { _ = try storage.restore(under: .whenUnlocked) } catch { print("after the logout:", error) }
