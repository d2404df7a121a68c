import CommandLine
import JSON
import Platform
import Signer
import TerminalUI

/// `holdfast links install`
enum LinksInstallCommand: ProgramCommand {
  static let place = Command(
    "install", "Have this desktop open signing links with Holdfast",
    discussion: """
      Writes holdfast-links.desktop into your applications folder and makes it the default for keyfob://, holdfast:// and \
      nostrsigner: links. What another program may have been the default for is changed; its own file is not.
      """)

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let handler = try LinkHandler(Terminal.environment)
    guard handler.isFree else { throw .foreign(handler) }
    let program = try thisProgram()
    try write(try LinkHandler.entry(program: program, vault: vault(line)), handler)
    _ = OtherProgram.printed(["update-desktop-database", handler.folder])
    for scheme in LinkHandler.schemes {
      let made = OtherProgram.printed(["xdg-mime", "default", LinkHandler.fileName, "x-scheme-handler/" + scheme])
      guard made?.end == 0 else {
        throw CommandError(
          .failed, "\(handler.path) is written, but xdg-mime did not make it the default.",
          hint: "Install xdg-utils, then run the command again.")
      }
    }
    let trial =
      TemporaryHome.isOne(home(line))
      ? " They ask this trial while it runs, and afterwards the vault at \(printable(TrialsVault.usual, limit: 4096))." : ""
    return report(
      handler,
      "Links that begin with keyfob://, holdfast:// and nostrsigner: open with Holdfast now.\(trial)"
        + ThisProgram.mayMove(program), line)
  }

  /// The desktop knows no `HOLDFAST_HOME`. No entry names a trial's folder.
  private static func vault(_ line: Invocation) -> [String] {
    let home = home(line)
    if TemporaryHome.isOne(home) { return ["--\(TrialsVault.option.name)"] }
    return absolute(home.path) == TrialsVault.usual ? [] : ["--home", absolute(home.path)]
  }

  private static func write(_ text: String, _ handler: LinkHandler) throws(CommandError) {
    try makeFolders(handler.folder)
    let new = handler.path + ".new"
    unlink(new)
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
    defer { if descriptor >= 0 { close(descriptor) } }
    guard descriptor >= 0, Output.write(Array(text.utf8), to: descriptor), rename(new, handler.path) == 0 else {
      throw CommandError(
        .failed, "\(printable(handler.path)) cannot be written: \(systemMessage(errno)).", hint: "Check its folder's permissions."
      )
    }
  }

  private static func makeFolders(_ path: String) throws(CommandError) {
    var made = ""
    for name in path.split(separator: "/") {
      made += "/" + name
      guard mkdir(made, 0o755) == 0 || errno == EEXIST else {
        throw CommandError(
          .failed, "\(printable(made)) cannot be made: \(systemMessage(errno)).", hint: "Check its folder's permissions.")
      }
    }
  }

  fileprivate static func report(_ handler: LinkHandler, _ sentence: String, _ line: Invocation) -> ExitCode {
    if line.has("json") { return Output.line(JSONValue.object([.init("file", .string(handler.path))])) ? .done : .failed }
    return Output.line(sentence) ? .done : .failed
  }
}

/// `holdfast links uninstall`
enum LinksUninstallCommand: ProgramCommand {
  static let place = Command(
    "uninstall", "Have links no longer open with Holdfast",
    discussion: """
      Removes holdfast-links.desktop, and its name from the lines for these links in mimeapps.list. A program that was their \
      default before does not become it again.
      """)

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let handler = try LinkHandler(Terminal.environment)
    guard handler.isFree else { throw .foreign(handler) }
    guard unlink(handler.path) == 0 || errno == ENOENT else {
      throw CommandError(
        .failed, "\(printable(handler.path)) cannot be removed: \(systemMessage(errno)).", hint: "Remove it yourself.")
    }
    _ = OtherProgram.printed(["update-desktop-database", handler.folder])
    let left = DefaultApplications(Terminal.environment).remove(LinkHandler.fileName, for: LinkHandler.schemes)
    if let path = left.first {
      throw CommandError(
        .failed, "Links no longer open with Holdfast, but \(printable(path)) cannot be written and still names it.",
        hint: "Remove the lines with \(LinkHandler.fileName) yourself.")
    }
    return LinksInstallCommand.report(handler, "Links no longer open with Holdfast.", line)
  }
}

extension CommandError {
  fileprivate static func foreign(_ handler: LinkHandler) -> CommandError {
    CommandError(
      .failed, "\(printable(handler.path)) was not written by Holdfast. Nothing was done.", hint: "Move that file away first.")
  }
}

extension Noun {
  static let links = Noun(
    "links", "Which program opens signing links on this desktop",
    commands: [LinksInstallCommand.self, LinksUninstallCommand.self])
}
