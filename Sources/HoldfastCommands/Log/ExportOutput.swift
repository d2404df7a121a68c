import CommandLine
import JSON
import Platform
import ResponseTexts
import TerminalUI

/// Where exported entries go: standard output, or a new file that only its owner can read.
struct ExportOutput: ~Copyable {
  private let path: String?
  private let descriptor: Int32
  private var entries = 0
  private var isWhole = false

  /// - Parameter path: of a file that must not exist; nil for standard output.
  /// - Throws: when the file cannot be made.
  init(_ path: String?) throws(CommandError) {
    self.path = path
    descriptor = path.map { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) } ?? STDOUT_FILENO
    guard descriptor >= 0 else { throw .notWritten(path, errno) }
  }

  /// What was not written to its end is no export.
  deinit {
    guard let path else { return }
    close(descriptor)
    if !isWhole { unlink(path) }
  }

  /// Whether the entries themselves are seen as they are printed.
  var isSeen: Bool { path == nil && Terminal.isOutput }

  /// - Returns: false when standard output takes no more.
  /// - Throws: when the file cannot be written.
  mutating func write(_ part: ArraySlice<JSONValue>) throws(CommandError) -> Bool {
    entries += part.count
    if isSeen { return part.allSatisfy { Output.line($0) } }
    let isWritten = Output.write(part.flatMap { $0.serialized() + [0x0A] }, to: descriptor)
    guard isWritten || path == nil else { throw .notWritten(path, errno) }
    return isWritten
  }

  /// Says what the file has.
  mutating func finish(_ line: Invocation) throws(CommandError) -> ExitCode {
    guard let path else { return .done }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .notWritten(path, errno) }
    isWhole = true
    if line.has("json") {
      return Output.line(JSONValue.object([.init("out", .string(path)), .init("entries", .integer(Int64(entries)))]))
        ? .done : .failed
    }
    let count = entries == 1 ? "1 entry" : "\(entries) entries"
    return Output.line("Wrote \(count) to \(printable(path, limit: 300)).") ? .done : .failed
  }
}

extension CommandError {
  fileprivate static func notWritten(_ path: String?, _ code: Int32) -> CommandError {
    CommandError(
      .failed, "The file \(printable(path ?? "", limit: 300)) could not be written: \(systemMessage(code)).",
      hint: "Check its folder, and the disk's free space.")
  }
}
