// A session that locks after a second without anything, and wipes what it held before it says so.
import Glibc
import SecretMemory
import Vault

let manager = SessionManager(SessionPolicy(inactivity: 1))
manager.observe { change in print("told:", change) }

manager.start()
var typed = Array("a token".utf8)
let token = try manager.hold(SecretBytes(wiping: &typed))
print("while open:", try token.use { $0.count }, "bytes")

// The user goes away. The program may do what it likes: asking is enough to notice.
while manager.isOpen { usleep(50_000) }
do throws(KeyStoreError) { _ = try token.use { $0.count } } catch { print("after it:", error) }
manager.close()
