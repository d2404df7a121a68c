/// The manual page `holdfast(1)`, in the man macros of roff.
public enum ManualPage {
  /// The page for the whole tree. Depends on the tree and the version only, so that a stale copy can be noticed.
  public static func text(for root: Command, version: String) -> String {
    var page = Roff()
    page.macro("TH", ["HOLDFAST", "1", "", "Holdfast " + version, "Holdfast"])
    page.section("NAME")
    page.text("holdfast \\- " + Roff.escaped(lowercasedFirst(root.summary)), isRoff: true)
    page.section("SYNOPSIS")
    page.text("\\fBholdfast\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR] [\\fIOPTIONS\\fR]", isRoff: true)
    page.section("DESCRIPTION")
    page.text(root.discussion)
    page.section("COMMANDS")
    for command in root.verbs { describe(command, [root.name, command.name], &page) }
    page.section("COMMON OPTIONS")
    for option in root.allOptions { page.item(option.roff, option.meaning) }
    trailer(&page)
    return page.output
  }

  private static func describe(_ command: Command, _ path: [String], _ page: inout Roff) {
    guard command.verbs.isEmpty else {
      for verb in command.verbs { describe(verb, path + [verb.name], &page) }
      return
    }
    let places = command.arguments.map {
      let name = "\\fI\($0.name.uppercased())\\fR" + ($0.repeats ? "..." : "")
      return " " + ($0.isRequired ? name : "[\(name)]")
    }
    let options = command.options.map { " [" + $0.roff + "]" + ($0.shape == .repeated ? "..." : "") }
    page.subsection("\\fB" + path.map(Roff.escaped).joined(separator: " ") + "\\fR" + (places + options).joined())
    page.text(command.summary + ".")
    if !command.discussion.isEmpty { page.text(command.discussion) }
    for argument in command.arguments { page.item("\\fI\(argument.name.uppercased())\\fR", argument.help) }
    for option in command.options { page.item(option.roff, option.meaning) }
    for example in command.examples { page.example(example) }
  }

  private static func trailer(_ page: inout Roff) {
    page.section("PASSPHRASE")
    page.text(
      """
      Taken from the first of: --passphrase-file, --passphrase-fd, the systemd credential holdfast-passphrase, and the \
      terminal, where it is asked for without echo. It is never an argument and never an environment variable. One line \
      break at its end is not part of it.
      """)
    page.section("EXIT STATUS")
    for code in ExitCode.allCases { page.item("\\fB\(code.rawValue)\\fR", code.meaning) }
    page.section("ENVIRONMENT")
    page.item("\\fBHOLDFAST_HOME\\fR", "The vault's folder. Without it: $XDG_DATA_HOME/holdfast, else ~/.local/share/holdfast.")
    page.item(
      "\\fBHOLDFAST_TOKEN_ENVIRONMENT\\fR",
      "Names, with commas between them, of further variables that a token's driver needs. It sees only those that drivers usually need."
    )
    page.item(
      "\\fBHOLDFAST_TPM\\fR",
      "The TPM that seals device.key: device:/dev/tpmrm1, or swtpm:path=SOCKET for one of software; none for none. Without it: /dev/tpmrm0."
    )
    page.item("\\fBNO_COLOR\\fR", "When set: no colours on a terminal.")
    page.section("FILES")
    page.item("\\fIvault.db\\fR", "The vault: every key, sealed.")
    page.item("\\fIdevice.key\\fR", "What binds keys to this device, sealed by its TPM where there is one. In no backup.")
    page.item("\\fIlock\\fR", "The process id of the holdfast that has the vault open.")
    page.item("\\fIcontrol.sock\\fR", "Where the command reaches the daemon; for the owner's user id only.")
  }

  private static func lowercasedFirst(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }
}

extension CommandOption {
  /// The option as it is typed, in roff: bold name, italic value.
  fileprivate var roff: String {
    let names = [letter.map { "\\fB\\-\($0)\\fR" }, "\\fB\\-\\-" + Roff.escaped(name) + "\\fR"].compactMap { $0 }
    let value = "\\fI" + Roff.escaped(placeholder) + "\\fR"
    let shown = placeholder.isEmpty ? "" : shape == .optional ? "[=" + value + "]" : " " + value
    return names.joined(separator: ", ") + shown
  }
}

/// Collects lines of roff.
private struct Roff {
  private(set) var output = ""

  mutating func macro(_ name: String, _ values: [String]) {
    output += "." + name + " " + values.map { "\"" + Self.escaped($0) + "\"" }.joined(separator: " ") + "\n"
  }

  mutating func section(_ title: String) { output += ".SH " + title + "\n" }

  /// - Parameter title: roff.
  mutating func subsection(_ title: String) { output += ".SS " + title + "\n" }

  mutating func text(_ text: String, isRoff: Bool = false) {
    for paragraph in text.split(separator: "\n") {
      output += ".PP\n" + (isRoff ? String(paragraph) : Self.line(String(paragraph))) + "\n"
    }
  }

  /// - Parameter name: roff.
  mutating func item(_ name: String, _ help: String) { output += ".TP\n" + name + "\n" + Self.line(help) + "\n" }

  mutating func example(_ example: Example) {
    output += ".IP\n.nf\n" + Self.line(example.line) + "\n.fi\n.RS\n.IP\n" + Self.line(example.meaning) + "\n.RE\n"
  }

  /// Text in which roff finds nothing to act on, inside a line.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "…": result += "..."
      default: result.append(character)
      }
    }
    return result
  }

  /// As `escaped`, for the start of a line, where a full stop would be a macro.
  private static func line(_ text: String) -> String { (text.hasPrefix(".") ? "\\&" : "") + escaped(text) }
}
