import CommandLine
import Encodings
import Platform
import ResponseTexts
import TerminalUI

/// Refuses a new file that cannot be made, before anything is asked: there is one, or its folder cannot be written.
func checkNewFile(_ path: String) throws(CommandError) {
  let shown = printable(path, limit: 300)
  guard !isFolder(path) else {
    throw CommandError(.failed, "\(shown) is a folder. Nothing was done.", hint: "Name a new file in it.")
  }
  guard access(path, F_OK) != 0 else {
    throw CommandError(.failed, "There is already a file at \(shown). Nothing was done.", hint: "Choose another name.")
  }
  guard access(FilePath.folder(of: path), W_OK | X_OK) == 0 else {
    let code = errno
    throw CommandError(
      ExitCode(file: code), "The file \(shown) cannot be made: \(systemMessage(code)).",
      hint: "Check its folder and your permissions there.")
  }
}

/// Refuses a file that cannot be read, before anything is asked.
/// - Parameter path: nil if none is named.
func checkReadable(_ path: String?) throws(CommandError) {
  guard let path else { return }
  let shown = printable(path, limit: 300)
  guard !isFolder(path) else { throw CommandError(.usage, "\(shown) is a folder, not a file.", hint: "Name a file in it.") }
  guard access(path, R_OK) == 0 else {
    let code = errno
    throw CommandError(
      ExitCode(file: code), "\(shown) could not be read: \(systemMessage(code)).",
      hint: "Check the file's name and its permissions.")
  }
}

/// Makes a file that only its owner can read.
func writeNew(_ path: String, _ content: [UInt8]) throws(CommandError) {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
  defer { if descriptor >= 0 { close(descriptor) } }
  guard descriptor >= 0, Output.write(content, to: descriptor), fsync(descriptor) == 0 || errno == EINVAL else {
    let code = errno
    if descriptor >= 0 { unlink(path) }
    throw CommandError(
      .failed, "The file \(printable(path, limit: 300)) could not be written: \(systemMessage(code)).",
      hint: "Check its folder, and the disk's free space.")
  }
}

/// Whether there is a folder at the path.
func isFolder(_ path: String) -> Bool {
  var about = stat()
  return stat(path, &about) == 0 && about.st_mode & S_IFMT == S_IFDIR
}

extension CommandError {
  /// The same error, with the vault's folder in a hint that has only its placeholder.
  func naming(home: String) -> CommandError {
    guard hint.hasSuffix(Self.madePrivate) else { return self }
    let command = "chmod 700 \(printable(ShellWord.plainOrQuoted(home), limit: 4096))"
    return CommandError(exit, error, hint: hint.dropLast(Self.madePrivate.count) + command)
  }

  private static let madePrivate = "chmod 700 FOLDER"

  /// The same error, with the file or folder that it is about in its hint.
  /// - Parameter beginning: of the errors that are about it; others stay as they are.
  func naming(_ path: String, if beginning: String) -> CommandError {
    guard error.hasPrefix(beginning), !error.contains(path) else { return self }
    return CommandError(exit, error, hint: "The path: \(printable(path, limit: 300)). \(hint)")
  }
}
