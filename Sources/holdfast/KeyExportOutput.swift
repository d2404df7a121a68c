internal import Commands
internal import Glibc
internal import JSON
internal import QRCodes

/// The options of `identity export` that name a file to be made.
private let fileOptions = ["out", "qr-png", "qr-svg"]

/// Before the key leaves the vault: none of the files is there yet.
func checkExportFiles(_ invocation: Invocation) throws(Complaint) {
  for option in fileOptions {
    guard let path = invocation.value(option) else { continue }
    guard access(path, F_OK) != 0 else {
      throw Complaint(
        .failed, "There is a file at \(printable(path)) already; nothing was exported.", hint: "Choose another name.")
    }
  }
  if invocation.value("format") == "file" || invocation.value("format") == "mnemonic" {
    guard !invocation.has("qr"), !invocation.has("qr-png"), !invocation.has("qr-svg") else {
      throw Complaint(.usage, "A QR code is made of an ncryptsec or nsec only.", hint: "Try --format ncryptsec.")
    }
  }
}

/// Writes an exported key where it was wanted, and prints the rest.
func finishExport(_ result: JSONValue, _ invocation: Invocation) throws(Complaint) -> ExitCode {
  let text = ["ncryptsec", "file", "nsec", "words"].lazy.compactMap { result[$0]?.string }.first ?? ""
  var written: [JSONValue.Member] = []
  if let path = invocation.value("out") {
    try write(text.hasSuffix("\n") ? Array(text.utf8) : Array(text.utf8) + [0x0a], to: path)
    written.append(.init("out", .string(path)))
  }
  if invocation.has("qr") || invocation.has("qr-png") || invocation.has("qr-svg") {
    let code: QRCode
    do throws(QRCodeError) { code = try QRCode(text) } catch {
      throw Complaint(.failed, "That key does not fit into a QR code.", hint: "")
    }
    if let path = invocation.value("qr-png") {
      try write(code.png(), to: path)
      written.append(.init("qr_png", .string(path)))
    }
    if let path = invocation.value("qr-svg") {
      try write(Array(code.svg().utf8), to: path)
      written.append(.init("qr_svg", .string(path)))
    }
    if invocation.has("qr"), !invocation.has("json") { Output.line(code.terminalText(colors: Terminal.hasColors)) }
  }
  if invocation.has("json") {
    // What went to a file is not shown as well.
    let shown = (result.members ?? []).filter {
      !invocation.has("out") || !["ncryptsec", "file", "nsec", "words"].contains($0.key)
    }
    return Output.line(.object(shown + written)) ? .done : .failed
  }
  if !invocation.has("out") { Output.line(text.hasSuffix("\n") ? String(text.dropLast()) : text) }
  for file in written { Output.warning("Written to \(printable(file.value.string ?? "")).") }
  return .done
}

/// A new file that only its owner can read.
private func write(_ bytes: [UInt8], to path: String) throws(Complaint) {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
  guard descriptor >= 0, Output.write(bytes, to: descriptor), fsync(descriptor) == 0 || errno == EINVAL else {
    let code = errno
    if descriptor >= 0 {
      close(descriptor)
      unlink(path)
    }
    throw Complaint(
      .failed, "The key could not be written to \(printable(path)): \(String(cString: strerror(code))).",
      hint: "It is recorded as exported; export it again to another place.")
  }
  close(descriptor)
}
