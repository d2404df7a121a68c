// Keeps a Nostr key by its type, and replaces it without a moment in which there is none.
import Ciphers
import Curve
import Glibc
import Identities
import SecretMemory
import Vault

guard CommandLine.arguments.count == 2 else {
  print("usage: SecureStorageExample FOLDER")
  exit(2)
}
var typed = Array("an example passphrase".utf8)
let passphrase = try SecretBytes(wiping: &typed)
let vault = try Vault.create(home: CommandLine.arguments[1], passphrase: passphrase, cost: .interactive)
defer { vault.close() }

let keys = try SecureStorage<SecretKey>(in: KeyStore(vault), service: "org.example.keys")
let first = try SecretKey.random()
try keys.save(first, as: "main")
print("the key came back:", try KeyPair(keys.load("main")).publicKey == KeyPair(first).publicKey)

try keys.save(try SecretKey.random(), as: "main")
print("another one took its place:", try KeyPair(keys.load("main")).publicKey != KeyPair(first).publicKey)
print("accounts:", try keys.accounts)

try keys.delete("main")
print("is there still one:", try keys.exists("main"))
