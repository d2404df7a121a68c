/// Text as one word of a POSIX shell's command line.
public enum ShellWord {
  /// The text as it is where a shell takes it so, in single quotes otherwise.
  public static func plainOrQuoted(_ text: String) -> String { isPlain(text) ? text : quoted(text) }

  /// The text in single quotes.
  public static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || [0x2D, 0x2E, 0x2F, 0x3A, 0x5F].contains($0)
      }
  }
}
