import Platform

/// Shows long texts with the program that the person uses for that, as git does. Not for secrets: a pager may keep what it shows.
public enum Pager {
  /// Prints the text and a line break as `Output.line`. On a terminal that is too small for it, it goes through the pager.
  /// - Parameters:
  ///   - isWanted: false prints it at once.
  ///   - fromEnd: whether it is read from its end, if the pager can do that.
  @discardableResult
  public static func line(_ text: String, isWanted: Bool = true, fromEnd: Bool = false) -> Bool {
    guard isWanted else { return Output.line(text) }
    return plain(Terminal.isOutput ? painted(broken(text, width: Terminal.columns())) : text, fromEnd: fromEnd)
  }

  /// The same for a text whose lines are broken already.
  @discardableResult
  public static func plain(_ shown: String, fromEnd: Bool = false) -> Bool {
    guard Terminal.isOutput, Terminal.isInput, let program = program(Terminal.environment, isThere: isInPath) else {
      return Output.plain(shown)
    }
    // The shell's next prompt needs a line as well.
    guard shown.utf8.count(where: { $0 == 0x0A }) + 1 >= Terminal.rows() else { return Output.plain(shown) }
    return isShown(shown, by: fromEnd ? readingFromEnd(program) : program) || Output.plain(shown)
  }

  /// `$HOLDFAST_PAGER`, `$PAGER`, or else less, which ends by itself if all fits, and leaves the text on the screen.
  /// - Returns: nil for none, which is also what `cat` means.
  static func program(_ environment: (String) -> String?, isThere: (String) -> Bool) -> String? {
    let chosen = environment("HOLDFAST_PAGER") ?? environment("PAGER") ?? (isThere("less") ? "less -FRX" : "cat")
    return chosen == "cat" ? nil : chosen
  }

  /// The command that shows the end first. Of other programs than less, nobody knows how they do that.
  static func readingFromEnd(_ program: String) -> String {
    let name = program.split(separator: " ").first.flatMap { $0.split(separator: "/").last }
    let isPlain = program.utf8.allSatisfy { plainCharacters.contains($0) }
    return name == "less" && isPlain ? program + " +G" : program
  }

  /// What a command of one program and its options is made of. In others, such as `less | cat`, nobody knows what the end belongs to.
  private static let plainCharacters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 /._+=-".utf8)

  private static func isInPath(_ name: String) -> Bool {
    (Terminal.environment("PATH") ?? "").split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
  }

  /// What the shell answers for a program that is not there.
  private static let noSuchProgram: Int32 = 127

  private static func isShown(_ text: String, by program: String) -> Bool {
    setenv("LESS", "FRX", 0)
    guard let pipe = popen(program, "w") else { return false }
    // Ctrl-C is for the pager, and it may end before it has read all.
    let (interrupt, hangUp) = (signal(SIGINT, SIG_IGN), signal(SIGPIPE, SIG_IGN))
    fputs(text + "\n", pipe)
    let ended = pclose(pipe)
    _ = (signal(SIGINT, interrupt), signal(SIGPIPE, hangUp))
    return ended >> 8 & 0xFF != noSuchProgram
  }
}
