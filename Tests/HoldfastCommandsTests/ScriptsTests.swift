import Foundation
import Testing

@testable import CommandLine
@testable import HoldfastCommands
@testable import TerminalUI

/// Runs a program found on the PATH over a text file.
/// - Returns: its exit code and all it printed; nil when there is no such program.
private func run(_ program: String, _ arguments: [String], over text: String, name: String = "script") throws -> (Int32, String)?
{
  guard isInstalled(program) else { return nil }
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let file = folder.appendingPathComponent(name)
  try Data(text.utf8).write(to: file)
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [program] + arguments + [file.path]
  process.standardInput = FileHandle.nullDevice
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
  try process.run()
  let output = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: output, as: UTF8.self))
}

private func isInstalled(_ program: String) -> Bool {
  let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
  return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
}

@Suite struct CompletionsTests {
  @Test("The completion script is valid for its shell", arguments: Completions.Shell.allCases)
  func scriptIsValidForItsShell(shell: Completions.Shell) throws {
    let script = Completions.script(for: shell, root: .holdfast)
    #expect(script.contains("revoke"))
    // zsh and fish need not be there; bash always is.
    let result = try run(shell.rawValue, ["-n"], over: script)
    if shell == .bash { #expect(result != nil) }
    if let result { #expect(result == (0, "")) }
  }

  static let completed: [([String], [String])] = [
    (["holdfast", ""], ["up", "init", "identity", "client"]),
    (["holdfast", "cl"], ["client"]),
    (["holdfast", "client", "re"], ["rename", "revoke"]),
    (["holdfast", "--home", "up", "client", "rev"], ["revoke"]),
    (["holdfast", "up", "--trust", ""], ["full", "medium", "low"]),
    (["holdfast", "client", "trust", "x", "fu"], ["full"]),
    (["holdfast", "up", "--no-"], ["--no-embedded-relay"]),
    (["holdfast", "completions", "f"], ["fish"]),
  ]

  @Test("Bash offers the words that fit", arguments: completed)
  func bashOffersWhatFits(words: [String], offered: [String]) throws {
    let quoted = words.map(Completions.quoted).joined(separator: " ")
    let test = """
      \(Completions.script(for: .bash, root: .holdfast))
      COMP_WORDS=(\(quoted)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _holdfast
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let result = try #require(try run("bash", ["--norc"], over: test))
    let lines = result.1.split(separator: "\n").map(String.init)
    #expect(result.0 == 0)
    #expect(offered.allSatisfy(lines.contains), "\(lines)")
    if offered.count < 4, let typed = words.last { #expect(lines.allSatisfy { $0.hasPrefix(typed) }) }
  }
}

@Suite struct ManualPageTests {
  @Test("The manual page names every command and option") func pageNamesEveryCommandAndOption() {
    let page = ManualPage.holdfast(version: "0.1.0")
    for (path, command) in Completions.leaves(.holdfast) {
      #expect(page.contains("\\fBholdfast " + path.joined(separator: " ").replacingOccurrences(of: "-", with: "\\-")), "\(path)")
      for option in command.options { #expect(page.contains(option.name.replacingOccurrences(of: "-", with: "\\-"))) }
    }
    for code in ExitCode.allCases { #expect(page.contains("\\fB\(code.rawValue)\\fR")) }
  }

  @Test("groff formats the manual page without warnings") func groffHasNothingToSayAboutIt() throws {
    guard let result = try run("groff", ["-man", "-ww", "-z", "-Tutf8"], over: ManualPage.holdfast(version: "0.1.0"))
    else { return }
    #expect(result == (0, ""))
  }
}
