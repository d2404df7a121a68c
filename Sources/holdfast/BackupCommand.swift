internal import Ciphers
internal import Commands
internal import Daemon
internal import Glibc
internal import JSON
internal import LocalAccess
internal import SecretMemory

/// How long the daemon may take for a backup, in milliseconds: a server far away may be slow.
private let patience = 6 * 3_600_000

/// `holdfast backup …`
func callBackup(_ invocation: Invocation) throws(Complaint) -> ExitCode {
  let operation = invocation.path.joined(separator: "/")
  let result: JSONValue
  switch operation {
  case "backup/restore": result = try restore(invocation)
  case "backup/verify": result = try verify(invocation)
  default:
    if operation == "backup/schedule", invocation.has("off") == (invocation.value("to") != nil) {
      throw Complaint(.usage, "Say where backups go with --to PLACE, or --off.", hint: "See: holdfast help backup schedule")
    }
    let members = try usage { () throws(UsageError) in try BackupRequest.members(invocation, absolute: absolute) }
    let request = ControlRequest(operation, .object(members), secrets: try credentials(invocation))
    let answer = try askDaemon(request, home(invocation), timeout: patience)
    result = if let answer { answer } else { try perform(request, invocation) }
  }
  if invocation.has("json") { return Output.line(result) ? .done : .failed }
  Output.line(ResultText.text(for: operation, result, now: Int64(time(nil))))
  return .done
}

private func verify(_ invocation: Invocation) throws(Complaint) -> JSONValue {
  let file = absolute(invocation.argument("file") ?? "")
  let (name, secret) = try proof(invocation)
  let request = ControlRequest("backup/verify", .object([.init("file", .string(file))]), secrets: [name: secret])
  if let answer = try askDaemon(request, home(invocation), timeout: patience) { return answer }
  var bar = ProgressBar("Checking", total: 100, now: milliseconds())
  defer { bar.finish() }
  do throws(OperationFailure) {
    return try Opening.examineBackup(file: file, proof: name == "shares" ? .shares(secret) : .passphrase(secret)) { done, of in
      bar.update(done: percent(done, of), now: milliseconds())
      return true
    }
  } catch { throw Complaint(error) }
}

private func restore(_ invocation: Invocation) throws(Complaint) -> JSONValue {
  let target = invocation.value("into").map { Home($0) } ?? home(invocation)
  let mebibytes = try usage { () throws(UsageError) in
    try invocation.integer("kdf-memory", in: Int64(Argon2id.Cost.floor.memory >> 20)...Int64(Argon2id.Cost.ceiling.memory >> 20))
  }
  if Opening.hasVault(target) {
    throw Complaint(
      .failed, "There is a vault at \(printable(target.path)) already; it was not touched.",
      hint: "Name another folder with --into DIR.")
  }
  let (name, given) = try proof(invocation)
  let new = try newPassphrase(invocation, isNeeded: name == "shares")
  let cost = mebibytes.flatMap { try? Argon2id.Cost(memory: Int($0) << 20, passes: Argon2id.Cost.floor.passes) }
  var bar = ProgressBar("Restoring", total: 100, now: milliseconds())
  defer { bar.finish() }
  do throws(OperationFailure) {
    return try Opening.restoreBackup(
      file: absolute(invocation.argument("file") ?? ""), home: target,
      proof: name == "shares" ? .shares(given) : .passphrase(given), newPassphrase: new, cost: cost
    ) { done, of in
      bar.update(done: percent(done, of), now: milliseconds())
      return true
    }
  } catch { throw Complaint(error) }
}

// MARK: secrets

/// What opens the backup: the name of the secret and the secret.
private func proof(_ invocation: Invocation) throws(Complaint) -> (String, SecretBox) {
  guard let file = invocation.value("shares-file") else { return ("passphrase", SecretBox(try passphrase(invocation))) }
  return ("shares", try secret("The shares") { () throws(SecretInputError) in try SecretInput.read(file: file) })
}

private func newPassphrase(_ invocation: Invocation, isNeeded: Bool) throws(Complaint) -> SecretBox? {
  guard isNeeded || invocation.value("new-passphrase-file") != nil else { return nil }
  return try holdfast.newPassphrase(invocation)
}

/// What signs in to a server: from the file, or asked for when somebody sits there.
private func credentials(_ invocation: Invocation) throws(Complaint) -> [String: SecretBox] {
  if let file = invocation.value("credentials-file") {
    return parts(of: try secret("The credentials") { () throws(SecretInputError) in try SecretInput.read(file: file) })
  }
  guard BackupRequest.needsCredentials(invocation), Terminal.isInput else { return [:] }
  var found: [String: SecretBox] = [:]
  if !BackupRequest.namesUser(invocation) {
    found["user"] = try secret("The user") { () throws(SecretInputError) in
      try SilentPrompt().ask("User, or id of the access key: ")
    }
  }
  found["password"] = try secret("The password") { () throws(SecretInputError) in
    try SilentPrompt().ask("Password, or secret of the access key: ")
  }
  return found
}

/// Two lines are user and password; one is the password alone.
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

// MARK: helpers

/// A path from the root; the file need not be there.
private func absolute(_ path: String) -> String {
  if path.hasPrefix("/") { return path }
  guard let here = getcwd(nil, 0) else { return path }
  defer { free(here) }
  let folder = String(cString: here)
  return path == "." ? folder : folder + "/" + (path.hasPrefix("./") ? String(path.dropFirst(2)) : path)
}

private func percent(_ done: UInt64, _ of: UInt64) -> Int { of == 0 ? 100 : Int(clamping: done * 100 / of) }

private func milliseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}
