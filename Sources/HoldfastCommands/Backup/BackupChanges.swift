import CommandLine
import Daemon
import JSON
import OwnerAPI
import Platform
import SecretMemory
import TerminalUI

/// How long the daemon may take for a backup, in milliseconds. A distant server may be slow.
let backupPatience = 6 * 3_600_000

/// The name of `backup restore` in this program. It is no operation, since there is no vault yet.
let restoreOperation = "backup/restore"

/// `holdfast backup …`
func callBackup(_ invocation: Invocation) throws(CommandError) -> ExitCode {
  let operation = invocation.path.joined(separator: "/")
  let result =
    switch operation {
    case restoreOperation: try restoreBackup(invocation)
    case BackupVerify.properties.name: try verifyBackup(invocation)
    case BackupList.properties.name: try listBackups(invocation)
    default: try changeBackups(operation, invocation)
    }
  if invocation.has("json") { return Output.line(result) ? .done : .failed }
  Output.line(suggested(invocation).text(BackupText.text(operation, result, Int64(time(nil)))))
  return .done
}

private func changeBackups(_ operation: String, _ invocation: Invocation) throws(CommandError) -> JSONValue {
  let isSchedule = operation == BackupSchedule.properties.name
  if isSchedule, invocation.has("off") {
    if let other = ["to", "every", "keep"].first(where: { invocation.has($0) }) {
      throw CommandError(.exclude(option: "off", other: other))
    }
  } else if isSchedule, !["to", "every", "keep", "credentials-file"].contains(where: { invocation.has($0) }) {
    throw CommandError(
      .usage, "The place is missing: give --to PLACE, or --off to stop backups.", hint: "See: holdfast help backup schedule")
  }
  var members = try usage { () throws(UsageError) in try BackupRequest.members(invocation, absolute: absolute) }
  var secrets = try credentials(invocation)
  // The owner confirms where encrypted rows are sent.
  if isSchedule ? !invocation.has("off") : invocation.has("to") {
    let shown = (try credential(invocation)).members
    members += shown.parameters.members ?? []
    secrets.merge(shown.secrets) { $1 }
  }
  let request = ControlRequest(operation, .object(members), secrets: secrets)
  if let answer = try askDaemonWhole(request, home(invocation), timeout: backupPatience) { return answer.json }
  return try performWhole(request, invocation).json
}

// MARK: credentials

/// The credential for a server: from the file, or asked for if a person is at the terminal.
func credentials(_ invocation: Invocation) throws(CommandError) -> [String: SecretBox] {
  if let file = invocation.value("credentials-file") {
    return parts(of: try secret("The credentials") { () throws(SecretInputError) in try SecretInput.read(file: file) })
  }
  guard BackupRequest.needsCredentials(invocation), Terminal.isInput else { return [:] }
  var found: [String: SecretBox] = [:]
  if !BackupRequest.namesUser(invocation) {
    found["user"] = try secret("The user") { () throws(SecretInputError) in
      try SilentPrompt().ask("User or access key id: ")
    }
  }
  found["password"] = try secret("The password") { () throws(SecretInputError) in
    try SilentPrompt().ask("Password or secret access key: ")
  }
  return found
}

/// Two lines are user and password. One line is the password.
private func parts(of text: SecretBox) -> [String: SecretBox] {
  text.withBytes { bytes in
    var found: [String: SecretBox] = [:]
    func keep(_ name: String, _ part: Slice<UnsafeRawBufferPointer>) {
      let line = UnsafeRawBufferPointer(rebasing: part.last == 0x0D ? part.dropLast() : part)
      if !line.isEmpty, let secret = try? SecretBytes(copying: line) { found[name] = SecretBox(secret) }
    }
    guard let end = bytes.firstIndex(of: 0x0A) else {
      keep("password", bytes[...])
      return found
    }
    keep("user", bytes[..<end])
    keep("password", bytes[(end + 1)...])
    return found
  }
}

/// The absolute path. The file need not exist.
func absolute(_ path: String) -> String {
  if path.hasPrefix("/") { return path }
  guard let here = getcwd(nil, 0) else { return path }
  defer { free(here) }
  let folder = String(cString: here)
  return path == "." ? folder : folder + "/" + (path.hasPrefix("./") ? String(path.dropFirst(2)) : path)
}
