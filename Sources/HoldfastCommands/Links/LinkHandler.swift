import CommandLine
import Platform
import TerminalUI

/// The desktop's entry that opens links with Holdfast.
struct LinkHandler {
  /// The schemes of such links.
  static let schemes = ["keyfob", "holdfast", "nostrsigner"]
  static let fileName = "holdfast-links.desktop"
  /// Marks a file as ours.
  static let mark = "X-Holdfast-Links=true"

  /// The folder of a user's own desktop entries.
  let folder: String

  var path: String { folder + "/" + Self.fileName }

  /// - Throws: without a home folder.
  init(_ environment: (String) -> String?) throws(CommandError) {
    if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") {
      folder = data + "/applications"
    } else if let home = environment("HOME"), home.hasPrefix("/") {
      folder = home + "/.local/share/applications"
    } else {
      throw CommandError(.failed, "There is no home folder: HOME is not set.", hint: "Set HOME or XDG_DATA_HOME.")
    }
  }

  /// Whether an app on this desktop takes links of a scheme.
  static func takes(_ scheme: String) -> Bool {
    guard let asked = OtherProgram.printed(["xdg-mime", "query", "default", "x-scheme-handler/" + scheme]) else { return false }
    return asked.end == 0 && !asked.text.isEmpty
  }

  /// The entry's text.
  /// - Parameters:
  ///   - program: the path of this program.
  ///   - vault: the options that name the vault.
  /// - Throws: for a path that could write lines of its own.
  static func entry(program: String, vault: [String]) throws(CommandError) -> String {
    let words = [program, "open"] + vault
    guard words.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } }) else {
      throw CommandError(
        .failed, "The path of the program or of the vault has a line break or another control character. Nothing was done.",
        hint: "Move it to another folder.")
    }
    return """
      [Desktop Entry]
      Type=Application
      Name=Holdfast
      Comment=Signs what links of sites and apps ask for
      Exec=\(words.map(quoted).joined(separator: " ")) %u
      Terminal=false
      NoDisplay=true
      MimeType=\(schemes.map { "x-scheme-handler/\($0);" }.joined())
      \(mark)

      """
  }

  /// A word of `Exec` (Desktop Entry Specification, “The Exec key”), in quotes if it needs them, with the escapes of a string value on top.
  /// Without need it has none: `xdg-open` does not know them where no desktop runs.
  static func quoted(_ word: String) -> String {
    if word.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+@".contains($0)) }) { return word }
    let inner = word.reduce(into: "") { text, character in
      if "\"`$\\".contains(character) { text += "\\" }
      text.append(character)
      if character == "%" { text += "%" }
    }
    return "\"" + inner.replacing("\\", with: "\\\\") + "\""
  }

  /// Whether there is no file yet, or one of ours.
  var isFree: Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return errno == ENOENT }
    defer { close(descriptor) }
    var space = [UInt8](repeating: 0, count: Self.longestEntry)
    let count = Platform.read(descriptor, &space, space.count)
    return count > 0 && String(decoding: space[..<count], as: UTF8.self).contains(Self.mark)
  }

  /// The most bytes that are read of an entry.
  private static let longestEntry = 16 << 10
}
