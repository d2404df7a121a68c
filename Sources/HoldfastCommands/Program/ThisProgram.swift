import CommandLine
import Platform
import TerminalUI

/// The path of this program, for files by which others start it.
/// - Throws: when the file was replaced, or its path has control characters, which no such file could hold.
func thisProgram() throws(CommandError) -> String {
  guard let path = SymbolicLink.target(of: "/proc/self/exe"), access(path, X_OK) == 0,
    path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
  else {
    throw CommandError(.failed, "The path of this program is not known.", hint: "Was it replaced? Run the command once more.")
  }
  return path
}

enum ThisProgram {
  /// A remark on a program that was built and not installed: what names its path fails when the build is gone.
  static func mayMove(_ path: String) -> String {
    path.contains("/.build/")
      ? "\nThis starts \(printable(path, limit: 4096)). If you move or remove that file, install again." : ""
  }
}
