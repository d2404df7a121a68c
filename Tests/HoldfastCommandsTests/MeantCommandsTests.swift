import Testing

@testable import CommandLine
@testable import HoldfastCommands

/// What is suggested to somebody who typed a word of another program.
@Suite struct MeantCommandsTests {
  private func hint(_ line: String) throws -> String {
    let words = line.split(separator: " ").map(String.init)
    let fault = try #require(throws: UsageError.self) { _ = try ArgumentParser.holdfast.parse(words) }
    return MeantCommands.explained(fault, words, ArgumentParser.holdfast.beginning(of: words)).hint(for: "holdfast")
  }

  @Test(
    "Usual words for a noun or verb lead to the command that is meant",
    arguments: [
      ("identity ls", "identity list"), ("identity remove", "identity delete"), ("identity new", "identity create"),
      ("client rm", "client revoke"), ("client add", "pair"), ("slot delete 3", "slot remove"), ("id list", "identity list"),
      ("id rm alice", "identity delete"), ("keys", "identity list"), ("apps show x", "client show"), ("kits", "recovery list"),
      ("logs", "log show"), ("policies", "policy show"),
    ])
  func usualWords(line: String, meant: String) throws { #expect(try hint(line) == "Did you mean 'holdfast \(meant)'?") }

  @Test("A verb without its noun names a few commands", arguments: ["ls", "rm", "delete", "add", "new", "show ALICE"])
  func aVerbAlone(line: String) throws {
    #expect(try hint(line).split(separator: "holdfast").count == 4)
  }

  @Test("An option without its verb names the verb") func anOptionWithoutItsVerb() throws {
    #expect(try hint("backup --to /tmp") == "Did you mean 'holdfast backup create --to PLACE'?")
  }

  @Test("Every command that is suggested exists", arguments: MeantCommands.suggested + ["pair"])
  func suggestionsExist(line: String) {
    #expect(Command.holdfast.descendant(line.split(separator: " ").map(String.init))?.verbs.isEmpty == true)
  }
}
