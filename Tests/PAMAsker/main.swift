import Platform
import SecretMemory
import Unlocking

// Passes a PAM check, or says why not. Tests start this program with a PAM of their own. The password, if any, is on
// standard input.

var bytes = [UInt8](repeating: 0, count: 256)
let length = max(0, read(0, &bytes, bytes.count))
let password = length == 0 ? nil : bytes.withUnsafeBytes { try? SecretBox(SecretBytes(copying: .init(rebasing: $0[..<length]))) }

func say(_ text: String) { _ = (text + "\n").withCString { write(1, $0, strlen($0)) } }

let check = PAMCheck(user: CommandLine.arguments[2], password: password) { say("told: " + $0) }
do {
  try check.pass(service: CommandLine.arguments[1])
  say("passed")
} catch { say("\(error)") }
