import CommandLine
import JSON
import OwnerAPI
import Platform
import QRCodes
import ResponseTexts
import SecretMemory
import TerminalUI

/// The options of `identity export` that name a new file.
private let fileOptions = ["out", "qr-png", "qr-svg"]

/// Checks, before anything is asked, that the files can be made.
func checkExportFiles(_ invocation: Invocation) throws(CommandError) {
  for path in fileOptions.compactMap({ invocation.value($0) }) { try checkNewFile(path) }
  if invocation.value("format") == "file" || invocation.value("format") == "mnemonic" {
    guard !invocation.has("qr"), !invocation.has("qr-png"), !invocation.has("qr-svg") else {
      throw CommandError(.usage, "Only an ncryptsec or nsec can be shown as a QR code.", hint: "Try --format ncryptsec.")
    }
  }
}

/// The members of a response that hold an exported key.
private let keyMembers = ["ncryptsec", "file", "nsec", "words"]

/// Writes an exported key to the named files, and prints the rest.
func finishExport(_ result: ControlResult, _ invocation: Invocation) throws(CommandError) -> ExitCode {
  let text = try exportedText(result)
  var written: [JSONValue.Member] = []
  if let path = invocation.value("out") {
    try write(to: path) { Output.line(text, to: $0) }
    written.append(.init("out", .string(path)))
  }
  if invocation.has("qr") || invocation.has("qr-png") || invocation.has("qr-svg") {
    written += try drawCodes(text, invocation)
  }
  if invocation.has("json") {
    // A key that was written to a file is not shown, too.
    let isShown = !invocation.has("out")
    let members = (result.json.members ?? []).filter { isShown || !keyMembers.contains($0.key) }
    return try Output.result(ControlResult(.object(members + written), secrets: isShown ? result.secrets : [:])) ? .done : .failed
  }
  if !invocation.has("out"), try !shown(text, areWords: !result.texts("words").isEmpty) { return .failed }
  for file in written { Output.warning("Written to \(printable(file.value.string ?? "")).") }
  return .done
}

/// Prints the key. A terminal gets words in numbered columns, a file or another program the key as it is.
private func shown(_ text: SecretBox, areWords: Bool) throws(CommandError) -> Bool {
  guard areWords, Terminal.isOutput else { return Output.line(text) }
  do {
    return try text.withBytes { words throws(SecretBytesError<Never>) in
      try WordColumns.lines(words, width: Terminal.columns()).withBytes { Output.write($0, to: STDOUT_FILENO) }
    }
  } catch { throw .notInMemory }
}

/// The exported key. An unencrypted key comes as a secret, an encrypted one as text.
private func exportedText(_ result: ControlResult) throws(CommandError) -> SecretBox {
  if let secret = keyMembers.lazy.compactMap({ result.texts($0).first }).first { return secret }
  var bytes = Array((keyMembers.lazy.compactMap { result[$0]?.string }.first ?? "").utf8)
  do { return SecretBox(try SecretBytes(wiping: &bytes)) } catch { throw .notInMemory }
}

private func drawCodes(_ text: SecretBox, _ invocation: Invocation) throws(CommandError) -> [JSONValue.Member] {
  var written: [JSONValue.Member] = []
  let code: QRCode
  do throws(QRCodeError) { code = try text.withBytes { bytes throws(QRCodeError) in try QRCode(bytes: bytes) } } catch {
    throw CommandError(.failed, "The key does not fit into a QR code.", hint: "Leave out the QR code.")
  }
  if let path = invocation.value("qr-png") {
    var picture = code.png()
    defer { wipe(&picture) }
    try write(to: path) { Output.write(picture, to: $0) }
    written.append(.init("qr_png", .string(path)))
  }
  if let path = invocation.value("qr-svg") {
    try write(to: path) { descriptor in
      var isWhole = true
      code.writeSVG { piece in isWhole = isWhole && Output.write(piece, to: descriptor) }
      return isWhole
    }
    written.append(.init("qr_svg", .string(path)))
  }
  if invocation.has("qr"), !invocation.has("json") { Output.line(code.terminalText(colors: Terminal.hasColors)) }
  return written
}

/// Makes a file that only its owner can read.
/// - Parameter content: writes the content; returns false if that failed.
private func write(to path: String, _ content: (Int32) -> Bool) throws(CommandError) {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
  guard descriptor >= 0, content(descriptor), fsync(descriptor) == 0 || errno == EINVAL else {
    let code = errno
    if descriptor >= 0 {
      close(descriptor)
      unlink(path)
    }
    throw CommandError(
      .failed, "The key could not be written to \(printable(path)): \(String(cString: strerror(code))).",
      hint: "The log records it as exported. Export it again to another file.")
  }
  close(descriptor)
}
