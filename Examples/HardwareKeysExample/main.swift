// Makes a key in a PKCS#11 token, signs with it, and deletes it. The PIN comes on standard input.
import Ciphers
import Encodings
import Glibc
import SecretMemory
import Unlocking
import Vault

// The token's driver runs in a process of its own, which is this program once more.
ModuleProcess.serveIfAsked(CommandLine.arguments)

guard CommandLine.arguments.count == 2 else {
  print("usage: HardwareKeysExample MODULE <PIN-FILE")
  exit(2)
}
var typed = Array((readLine() ?? "").utf8)
let keys: any HardwareKeys = PKCS11Keys(module: CommandLine.arguments[1], pin: SecretBox(try SecretBytes(wiping: &typed)))
guard keys.isAvailable else {
  print("there is no token that makes P-256 keys")
  exit(1)
}

let key = try keys.generateKey(label: "holdfast example")
let digest = SHA256.digest(of: Array("what is to be signed".utf8))
let signature = try keys.sign(digest, with: key.id)
print("the token's signature holds:", key.publicKey.isValid(signature, of: digest))

try keys.deleteKey(key.id)
do throws(KeyStoreError) { _ = try keys.sign(digest, with: key.id) } catch { print("deleted:", error) }
