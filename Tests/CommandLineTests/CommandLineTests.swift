import Testing

@testable import CommandLine

/// A program of two commands, one below a noun.
private let program = Command(
  "brew", "Make something to drink", discussion: "Needs water.", shared: [.help],
  verbs: [
    Command(
      "tea", "Tea: make, keep", shared: [.help],
      verbs: [
        Command(
          "make", "Make tea",
          arguments: [
            Argument("leaf", "Which leaf", completion: .words(["green", "black"])), Argument("cup", "Which cup", required: false),
          ],
          options: [
            .value("minutes", "N", "How long"), .value("limit", "N", "How much"), .repeated("with", "WHAT", "What goes in"),
            .optional("sweet", "HOW", "Sweet"),
          ],
          shared: [.help], examples: [Example("brew tea make green", "a green tea")])
      ]),
    Command("clean", "Clean the pot", options: [.flag("quiet", "Do less")], shared: [.help]),
  ])

private let parser = ArgumentParser(root: program) { $0 == "the-secret" }

@Suite struct ParsingTests {
  @Test("A command line is read into path, options and arguments") func everyForm() throws {
    let found = try parser.parse(["tea", "make", "--minutes=3", "green", "--with", "milk", "--with", "salt", "--sweet", "big"])
    #expect(found.path == ["tea", "make"] && found.name == "tea make")
    #expect(try found.integer("minutes", in: 1...9) == 3)
    #expect(found.values("with") == ["milk", "salt"])
    #expect(found.has("sweet") && found.value("sweet") == nil)
    #expect(found.argument("leaf") == "green" && found.argument("cup") == "big")
    #expect(try parser.parse(["clean", "-q"]).has("quiet"))
  }

  @Test(
    "A letter stands for its option, with the value in the same word or the next one",
    arguments: [["-n", "5", "green"], ["-n5", "green"], ["green", "-n", "5"], ["green", "--limit=5"]])
  func lettersTakeValues(words: [String]) throws {
    let found = try parser.parse(["tea", "make"] + words)
    #expect(found.value("limit") == "5" && found.argument("leaf") == "green")
  }

  @Test("A letter without its value, or given twice, is refused as its option is") func lettersAreChecked() {
    #expect(throws: UsageError.valueMissing(option: "limit")) { try parser.parse(["tea", "make", "green", "-n"]) }
    #expect(throws: UsageError.valueMissing(option: "limit")) { try parser.parse(["tea", "make", "green", "-n", "--with"]) }
    #expect(throws: UsageError.givenTwice(option: "limit")) { try parser.parse(["tea", "make", "green", "-n5", "--limit", "6"]) }
    #expect(throws: UsageError.unknownOption(name: "-x", nearest: nil)) { try parser.parse(["clean", "-qx"]) }
  }

  @Test("No two options have the same letter") func lettersDiffer() {
    #expect(Set(ShortOptions.letters.values).count == ShortOptions.letters.count)
  }

  static let faults: [([String], UsageError)] = [
    (["cleen"], .unknownCommand(after: [], nearest: ["clean"])), (["make"], .unknownCommand(after: [], nearest: ["tea make"])),
    (["help"], .unknownCommand(after: [], nearest: ["--help"])), (["tea"], .noVerb(after: ["tea"])),
    (["tea", "make"], .argumentMissing(name: "leaf", command: ["tea", "make"])),
    (["tea", "make", "red"], .argumentNotAllowed(name: "leaf", allowed: ["green", "black"])),
    (["clean", "--with", "x"], .optionNotHere(name: "--with", command: ["clean"])),
    (["clean", "the-secret"], .secretKeyInArguments),
  ]

  @Test("A fault is named, with what to do in the program's own name", arguments: faults)
  func faultsAreNamed(words: [String], fault: UsageError) {
    #expect(throws: fault) { try parser.parse(words) }
    #expect(!fault.hint(for: "brew").contains("holdfast"))
  }

  @Test(
    "The hint about a wrong value names the help of the command",
    arguments: [
      (["tea", "make", "--minutes"], ["tea", "make"]), (["tea", "--minutes=3"], ["tea"]), (["--quiet", "clean"], []),
    ])
  func hintsNameTheCommand(words: [String], command: [String]) throws {
    #expect(parser.beginning(of: words).path == command)
    let hint = UsageError.valueMissing(option: "minutes").hint(for: "brew", command: command)
    #expect(hint == "Try '\((["brew"] + command + ["--help"]).joined(separator: " "))'.")
  }
}

@Suite struct GeneratedTextTests {
  @Test("Help, manual page and completions name the program and all of its commands") func everyTextNamesTheProgram() throws {
    let page = ManualPage.text(for: program, version: "1", sections: [.init("FILES", text: "None.")])
    #expect(page.hasPrefix(#".TH "BREW" "1" "" "Brew 1" "Brew""#) && page.contains(#"\fBbrew tea make\fR"#))
    #expect(page.contains(".SH FILES\n.PP\nNone."))
    for shell in Completions.Shell.allCases {
      let script = Completions.script(for: shell, root: program)
      #expect(script.contains("_brew") && script.contains("minutes") && !script.contains("holdfast"))
    }
    let help = try #require(HelpText.text(for: ["tea", "make"], in: program))
    #expect(help.hasPrefix("brew tea make: Make tea") && help.contains("--with WHAT") && help.contains("a green tea"))
  }

  @Test("An error is a sentence in the program's name, and a hint") func errorsNameTheProgram() {
    let error = CommandError(.unknownCommand(after: [], nearest: ["clean"]), for: "brew", command: [])
    #expect(error.text(from: "brew") == "brew: There is no such command.\nDid you mean 'brew clean'?")
    #expect(error.exit == .usage)
  }
}
