import Foundation
import TestSupport
import Testing

@testable import CommandLine
@testable import HoldfastCommands
@testable import TerminalUI

@Suite struct CompletionsTests {
  @Test("The completion script is valid for its shell", arguments: Completions.Shell.allCases)
  func scriptIsValidForItsShell(shell: Completions.Shell) throws {
    let script = Completions.script(for: shell, root: .holdfast)
    #expect(script.contains("revoke"))
    // zsh and fish need not be there; bash always is.
    let result = try runInstalled(shell.rawValue, ["-n"], over: script)
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
    (["holdfast", "erase", "-"], ["-y", "--yes", "-h", "--help"]),
    (["holdfast", "client", "allow", "x", "sign_event:1", "--for", "1"], ["1h", "1d", "1w"]),
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
    let result = try #require(try runInstalled("bash", ["--norc"], over: test))
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
    for topic in Command.holdfast.topics {
      #expect(page.contains(".SH \(topic.name.uppercased().replacingOccurrences(of: "-", with: " "))"))
      for form in topic.list { #expect(page.contains(form.meaning.prefix { $0.isLetter })) }
    }
    for code in ExitCode.allCases { #expect(page.contains("\\fB\(code.rawValue)\\fR")) }
  }

  @Test("groff formats the manual page without warnings") func groffHasNothingToSayAboutIt() throws {
    guard let result = try runInstalled("groff", ["-man", "-ww", "-z", "-Tutf8"], over: ManualPage.holdfast(version: "0.1.0"))
    else { return }
    #expect(result == (0, ""))
  }
}
