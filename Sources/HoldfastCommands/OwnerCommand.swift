import CommandLine
import Daemon
import JSON
import LocalAccess
import OwnerAPI
import Platform
import SecretMemory
import Signer
import TerminalUI

/// The largest event that `sign` reads, in bytes.
private let largestEvent = 4 << 20
/// The longest link that is read from standard input, in bytes.
private let longestLink = 16 << 10

/// Does one of the owner's operations, through the daemon or on the vault itself, and prints what came of it.
func askOwnerRequest(_ invocation: Invocation) throws(CommandError) -> ExitCode {
  let now = Int64(time(nil))
  guard let asked = try usage({ () throws(UsageError) in try OwnerRequest(invocation, now: now) }) else { return .usage }
  try confirm(asked, invocation)
  try checkSomebodyCanBeAsked(asked, invocation)
  var request = try withRequestCode(
    withPresence(withAlike(complete(asked, invocation), invocation), invocation), invocation)
  if asked.isPlannedFirst { request = try confirmed(request, invocation, now: now) }
  if request.operation == "log/export" { return try exportLog(request, invocation) }
  if request.operation == "identity/export" {
    try checkExportFiles(invocation)
    return try finishExport(try performWhole(request, invocation), invocation)
  }
  if request.operation == "guardian/shares" { return try printShares(try performWhole(request, invocation), invocation) }
  var result = try perform(request, invocation)
  if let scan = IdentityRequest.scan(invocation) { result = try withAccounts(result, scan, request, invocation) }
  if ["identity/accounts", "identity/import"].contains(request.operation) {
    guard let taken = try takingAccounts(result, request, invocation, now) else { return .done }
    result = taken
  }
  if invocation.has("json") || request.operation == "sign" {
    guard Output.line(result) else { return .failed }
  } else {
    Output.line(suggested(invocation).text(ResultText.text(for: request.operation, result, now: now, colors: Terminal.hasColors)))
    if let found = result["scan"] { Output.line(ResultText.text(for: "identity/accounts", found, now: now)) }
    if result["taken"] != nil { Output.line(ResultText.taken(result)) }
    if request.operation == "pair/new", let link = result["bunker"]?.string { showQRCode(link) }
  }
  if request.operation == "console/link", invocation.has("open"), let link = result["url"]?.string { try openInBrowser(link) }
  return result["ok"]?.bool == false ? .failed : .done
}

/// `--all-like ID`: named one by one, so that nothing is answered that came after the owner was asked.
private func withAlike(_ request: ControlRequest, _ invocation: Invocation) throws(CommandError) -> ControlRequest {
  guard let id = invocation.value("all-like") else { return request }
  let list = try perform(ControlRequest("request/list"), invocation)
  guard let alike = AlikeRequests.of(id, in: list) else {
    throw CommandError(.notFound, "No request of that name waits.", hint: "See: holdfast request list")
  }
  let verb = request.operation == "request/approve" ? "Approve" : "Refuse"
  let isAsked = Terminal.isInput && !invocation.has("json") && !invocation.has("yes")
  if isAsked && !PlainInput.confirms("\(verb) \(printable(alike.title))?") { throw CommandError(.failed, "Nothing was done.") }
  let members = (request.parameters.members ?? []) + [.init("ids", .array(alike.ids.map { .string($0) }))]
  return ControlRequest(request.operation, .object(members), secrets: request.secrets)
}

/// `identity import --scan`: the import stays also when the search fails.
private func withAccounts(
  _ imported: JSONValue, _ scan: JSONValue, _ request: ControlRequest, _ invocation: Invocation
) throws(CommandError) -> JSONValue {
  guard imported["words"]?.bool == true else { return imported }
  // What the import was proven by proves this.
  let shown = (request.parameters.members ?? []).filter { ["token", "module", "keyring"].contains($0.key) }
  let secrets = request.secrets.filter {
    ["passphrase", "pin", "login", "shares", "recovery_code", "words_passphrase"].contains($0.key)
  }
  do throws(CommandError) {
    let found = try perform(
      ControlRequest("identity/accounts", .object((scan.members ?? []) + shown), secrets: secrets), invocation)
    return .object((imported.members ?? []) + [.init("scan", found)])
  } catch {
    throw CommandError(error.exit, "The key was imported; its further accounts were not found: " + error.error, hint: error.hint)
  }
}

/// An approval for an identity that needs its owner's presence: a person at the terminal is asked for the proof.
private func withPresence(_ request: ControlRequest, _ invocation: Invocation) throws(CommandError) -> ControlRequest {
  guard request.operation == "request/approve", Terminal.isInput, !invocation.has("json"),
    !CredentialSource.isNamed(in: invocation), let list = try askDaemon(ControlRequest("request/list"), home(invocation)),
    let question = PresenceQuestion.text(for: request.parameters, in: list)
  else { return request }
  let passphrase = try secret("The passphrase") { () throws(SecretInputError) in try SilentPrompt().ask(question) }
  return ControlRequest(
    request.operation, request.parameters, secrets: request.secrets.merging(["passphrase": passphrase]) { $1 })
}

/// A person who asks a guardian is asked for the code that stands with the papers. It opens nothing, so it is typed in the open.
private func withRequestCode(_ request: ControlRequest, _ invocation: Invocation) -> ControlRequest {
  guard request.operation == "guardian/ask", !invocation.has("code"), Terminal.isInput, !invocation.has("json") else {
    return request
  }
  let code = PlainInput.line("Request code of the kit, from your papers (Enter if you have none): ")
  guard !code.isEmpty else { return request }
  return ControlRequest(
    request.operation, .object((request.parameters.members ?? []) + [.init("code", .string(code))]), secrets: request.secrets)
}

/// Asks before what cannot be taken back. Only a person at a terminal is asked: a script said what it wants.
private func confirm(_ request: OwnerRequest, _ invocation: Invocation) throws(CommandError) {
  guard let question = request.confirmation, Terminal.isInput, !invocation.has("json") else { return }
  if !PlainInput.confirms(question) { throw CommandError(.failed, "Nothing was done.") }
}

/// Reads what the request still lacks.
private func complete(_ asked: OwnerRequest, _ invocation: Invocation) throws(CommandError) -> ControlRequest {
  var members = asked.parameters.members ?? []
  var secrets: [String: SecretBox] = [:]
  switch asked.input {
  case .nothing: break
  case .key(let file, let descriptor):
    secrets["key"] = try secret("The key") { () throws(SecretInputError) in
      let limit = SecretInput.fileLimit
      if let file { return try SecretInput.read(file: file, limit: limit) }
      if let descriptor { return try SecretInput.read(descriptor: descriptor, limit: limit) }
      return Terminal.isInput
        ? try SilentPrompt().ask("Key (nsec, hex, ncryptsec or words): ") : try SecretInput.read(descriptor: 0, limit: limit)
    }
    secrets["password"] = try password(asked, for: secrets["key"])
  case .passphrase: try show(invocation, &members, &secrets)
  case .newPassword:
    try show(invocation, &members, &secrets)
    secrets["password"] = try NewPassphrase.read(
      "The new password", file: asked.passwordFile, question: "New password for the exported key: ",
      isQuiet: invocation.has("json"))
  case .event, .request:
    guard let text = PlainInput.all(limit: largestEvent) else {
      throw CommandError(.usage, "The event on standard input is longer than \(largestEvent >> 20) MiB.")
    }
    do { members.append(.init(asked.input == .event ? "event" : "request", try JSONValue(parsing: text))) } catch {
      throw CommandError(
        .usage, "What stands on standard input is no JSON: \(error).", hint: #"It looks like {"kind":1,"content":"hello"}"#)
    }
  case .uri:
    guard let text = PlainInput.all(limit: longestLink) else {
      throw CommandError(.usage, "The link on standard input is longer than \(longestLink >> 10) KiB.")
    }
    members.append(.init("uri", .string(String(decoding: text.filter { $0 > 0x20 }, as: UTF8.self))))
  }
  if asked.operation == "sign", CredentialSource.isNamed(in: invocation) { try show(invocation, &members, &secrets) }
  for (name, source) in asked.furtherSecrets {
    secrets[name] = try secret("The words passphrase") { () throws(SecretInputError) in
      switch source {
      case .file(let file): try SecretInput.read(file: file)
      case .question(let question, isNew: false): try SilentPrompt().ask(question)
      case .question(let question, isNew: true): try SilentPrompt().askTwice(question, again: "The same again: ")
      }
    }
  }
  if let new = asked.newSecret {
    secrets[new.name] =
      if new.isTwice {
        try NewPassphrase.read(
          "The new passphrase", file: new.file, question: new.question, isQuiet: invocation.has("json"))
      } else {
        try secret("What is to open the slot") { () throws(SecretInputError) in
          if let file = new.file { return try SecretInput.read(file: file) }
          return try SilentPrompt().ask(new.question)
        }
      }
  }
  if invocation.has("unencrypted"), !invocation.has("confirm"), Terminal.isInput {
    members.append(.init("confirm", .string(PlainInput.line(openExportQuestion))))
  }
  return ControlRequest(asked.operation, .object(members), secrets: secrets)
}

private let openExportQuestion = """
  The key will leave the vault unencrypted: whoever sees it has it, for good, and nothing can take it back.
  If that is what you want, type: I understand
  > \("")
  """

/// Adds what opens the vault.
private func show(
  _ invocation: Invocation, _ members: inout [JSONValue.Member], _ secrets: inout [String: SecretBox]
) throws(CommandError) {
  let shown = try shown(invocation)
  members += shown.members
  secrets.merge(shown.secrets) { $1 }
}

/// The password of an encrypted key: from a file, or asked for when the key is one and somebody sits there.
private func password(_ asked: OwnerRequest, for key: SecretBox?) throws(CommandError) -> SecretBox? {
  if let file = asked.passwordFile {
    return try secret("The key's password") { () throws(SecretInputError) in try SecretInput.read(file: file) }
  }
  let marks = ["ncryptsec1", "{", "KEEPBACK"].map { Array($0.utf8) }
  let isEncrypted = key?.withBytes { key in marks.contains { key.prefix($0.count).elementsEqual($0) } } == true
  guard isEncrypted, Terminal.isInput else { return nil }
  return try secret("The key's password") { () throws(SecretInputError) in try SilentPrompt().ask("Password of this key: ") }
}

func secret(_ what: String, _ read: () throws(SecretInputError) -> SecretBytes) throws(CommandError) -> SecretBox {
  do { return SecretBox(try read()) } catch { throw CommandError(error, what: what) }
}

/// Asks the daemon; when none runs, opens the vault. For what answers without a secret.
func perform(_ request: ControlRequest, _ invocation: Invocation) throws(CommandError) -> JSONValue {
  try performWhole(request, invocation).json
}

/// The same, with the secrets of the answer.
func performWhole(_ request: ControlRequest, _ invocation: Invocation) throws(CommandError) -> ControlResult {
  let home = home(invocation)
  if invocation.has("without-keys") {
    return ControlResult(try checkLogHere(home, nil))
  }
  let result: ControlResult
  if request.operation == "log/verify", let asked = try askForLogCheck(home) {
    result = ControlResult(asked)
  } else if let asked = try askDaemonWhole(request, home) {
    result = asked
  } else {
    result = try performLocally(request, home, invocation)
  }
  if let damage = result["vault_damaged"]?.string {
    Output.warning(suggested(invocation).text("Note: \(damage) This shows what is whole. To go on: holdfast vault repair"))
  }
  return result
}

/// - Returns: nil when no daemon runs.
func askDaemon(_ request: ControlRequest, _ home: Home, timeout: Int = 60_000) throws(CommandError) -> JSONValue? {
  try askDaemonWhole(request, home, timeout: timeout)?.json
}

private func askDaemonWhole(
  _ request: ControlRequest, _ home: Home, timeout: Int = 60_000
) throws(CommandError) -> ControlResult? {
  let response: ControlResponse
  do {
    response = try ControlClient.call(home: home.path, request, timeout: timeout, onSilence: sayThatItWaits)
  } catch .noDaemon { return nil } catch {
    throw CommandError(daemon: error)
  }
  switch response {
  case .success(let result): return result
  case .failure(let exit, let error, let hint):
    throw CommandError(ExitCode(rawValue: Int32(clamping: exit)) ?? .failed, error, hint: hint ?? "")
  }
}

/// On a terminal, so that nobody takes a slow answer for a program that hangs.
private let sayThatItWaits: @Sendable (Int32) -> Void = { process in
  if isatty(STDERR_FILENO) == 1 { Output.warning("Waiting for the signer (process \(process)) …") }
}

private func performLocally(
  _ request: ControlRequest, _ home: Home, _ invocation: Invocation
) throws(CommandError) -> ControlResult {
  guard Opening.hasVault(home) else { throw .noVault(home) }
  if request.operation == "panic" { return try shutNextStart(home) }
  // Whoever needs this has no passphrase any more.
  if request.operation == "recovery/restore", request.parameters["name"] == nil, let shares = request.secrets["shares"] {
    do throws(OperationError) {
      let session = try LocalSession(home: home, shares: shares, code: request.secrets["recovery_code"])
      defer { session.close() }
      return try session.perform(request)
    } catch { throw CommandError(error) }
  }
  let evidence: ShownCredential
  // Asked for already where the operation needs it, too. The shares that are tested or restored prove nothing.
  let secrets = request.operation.hasPrefix("recovery/") ? request.secrets.filter { $0.key != "shares" } : request.secrets
  if ShownCredential.isIn(request.parameters, secrets: secrets) {
    do throws(OperationError) {
      let isOneOfSeveral = request.operation == "slot/rotate" || request.parameters["tpm"] != nil
      evidence =
        isOneOfSeveral
        ? try ShownCredential.first(request.parameters, secrets: secrets)
        : try ShownCredential(request.parameters, secrets: secrets)
    } catch {
      throw CommandError(error)
    }
  } else {
    evidence = try HoldfastCommands.evidence(invocation)
  }
  // This is for a log that may be damaged, which no session would open.
  if request.operation == "log/verify" { return ControlResult(try checkLogHere(home, evidence)) }
  do throws(OperationError) {
    // So is this.
    if request.operation == "log/renew" { return ControlResult(try Opening.renewLog(home: home, evidence: evidence)) }
    // And these for a vault that may be older than the log knows.
    if request.operation == "vault/check" { return ControlResult(try Opening.checkVault(home: home, evidence: evidence)) }
    if request.operation == "vault/accept" { return ControlResult(try Opening.acceptVault(home: home, evidence: evidence)) }
    if request.operation == "vault/repair" {
      let isPlan = request.parameters["plan"]?.bool == true
      return ControlResult(try Opening.repairVault(home: home, evidence: evidence, isPlan: isPlan))
    }
    let session = try LocalSession(home: home, evidence: evidence)
    defer { session.close() }
    return try session.perform(request)
  } catch { throw CommandError(error) }
}

/// Without a signer there is nothing to wipe, but the next one shall not start as if nothing had happened.
private func shutNextStart(_ home: Home) throws(CommandError) -> ControlResult {
  do throws(OperationError) { try Opening.suspendNextStart(home: home) } catch { throw CommandError(error) }
  return ["running": false, "locked": true, "suspended": true, "stored": true, "failures": []]
}
