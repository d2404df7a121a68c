import CommandLine
import Platform
import Signer
import TerminalUI

/// Whatever is in another user's folder, this user's commands can do nothing with it.
func checkIsOurs(_ home: Home) throws(CommandError) {
  let path = printable(home.path, limit: 300)
  let hint = "Run the command as the vault's owner, or name another folder with --home."
  var about = stat()
  guard stat(home.path, &about) == 0 else {
    guard errno == EACCES else { return }
    throw CommandError(.denied, "You may not look into \(path).", hint: hint)
  }
  guard about.st_uid != geteuid(), about.st_mode & S_IFMT == S_IFDIR else { return }
  throw CommandError(.denied, "The folder \(path) belongs to another user (number \(about.st_uid)).", hint: hint)
}
