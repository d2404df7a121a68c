import Encodings
import JSON
import Testing

@testable import TerminalUI

@Suite struct TableWidthTests {
  @Test("On a terminal, empty columns are left out and the last column is broken under itself or its row")
  func tablesFitTheTerminal() {
    var table = TextTable(["N", "APP", "WHAT", "WHY"], whole: [3])
    table.add(["1", "", "Sign a note", "you approved this request (command)"])
    table.add(["12", "", "Locked", ""])
    #expect(
      table.text(within: 48) == """
        N   WHAT         WHY
        1   Sign a note  you approved this request
                         (command)
        12  Locked
        """)
    #expect(table.text(within: nil).contains("you approved this request (command)"))
    #expect(table.text(within: nil).hasPrefix("N   APP  WHAT"), "elsewhere every column is there")
    #expect(
      table.text(within: 30) == """
        N   WHAT         WHY
        1   Sign a note
            you approved this request
            (command)
        12  Locked
        """, "too narrow to break it under itself")
  }
}

@Suite struct NarrowTableTests {
  private static let key = "npub1adat9j23qnt84uwrt3lpg0ufnnx8uqkcx3qfcph77ajzq4qyj9yqyf0a3q"

  @Test("A narrow terminal does without the spare columns, in their order, before a key is shortened")
  func spareColumnsGoFirst() {
    var table = TextTable(["NAME", "KEY", "MADE", ""], keys: [1], spare: [2])
    table.add(["main", Self.key, "2026-12-01 12:00", "default"])
    #expect(table.text(within: 100).contains("2026-12-01 12:00"))
    #expect(table.text(within: 80).hasSuffix("main  \(Self.key)  default"))
    #expect(table.text(within: 60).hasSuffix("main  npub1adat9j2…qyf0a3q  default"))
    #expect(table.text(within: nil).hasSuffix("main  \(Self.key)  2026-12-01 12:00  default"))
  }

  @Test("On a narrow terminal the widest cells are cut, and a copied column never is")
  func widestCellsAreCut() {
    var table = TextTable(["NAME", "IDENTITY", "ID"], whole: [2])
    table.add([String(repeating: "n", count: 36), "a short identity", "0123456789abcdef"])
    let lines = table.text(within: 60).split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 60 } && lines.last?.hasSuffix("a short identity  0123456789abcdef") == true)
    for width in 1...80 { #expect(table.text(within: width).contains("abcdef")) }
  }

  @Test("Where not even the first columns fit side by side, each row is a block") func rowsBecomeBlocks() {
    var table = TextTable(["NAME", "KEY", "IDENTITY", "TRUST", "REQUESTS"], whole: [1])
    table.add(["python3.11", "4f2fdd5d1da285b0", "main", "not let in", "7"])
    #expect(
      table.text(within: 42) == """
        python3.11
          KEY       4f2fdd5d1da285b0
          IDENTITY  main
          TRUST     not let in
          REQUESTS  7
        """)
    #expect(table.text(within: 80).hasPrefix("NAME"))
  }

  @Test("The last column, and one that is wide, take the room that the terminal has")
  func theLastColumnTakesTheRoom() {
    let long = String(repeating: "word ", count: 12) + "end"
    var table = TextTable(["N", "WHAT", "WHY"], wide: [1])
    table.add(["1", long, long])
    #expect(table.text(within: 200).contains("1  \(long)  \(long)"))
    #expect(table.text(within: 60).split(separator: "\n").allSatisfy { columnWidth(of: String($0)) <= 60 })
    #expect(table.text(within: nil).contains("\(long)  \(long)"))
  }

  @Test("A wide cell with nothing behind it takes the rest of its line, and no room from the others")
  func wideCellsRunOn() {
    let long = String(repeating: "word ", count: 8) + "end"
    var table = TextTable(["N", "WHAT", "RESULT"], wide: [1])
    table.add(["1", "Sign a note", "you approved"])
    table.add(["2", long, ""])
    #expect(
      table.text(within: 50) == """
        N  WHAT         RESULT
        1  Sign a note  you approved
        2  word word word word word word word word end
        """)
    #expect(table.text(within: 40).hasSuffix("2  word word word word word word word\n   word end"), "broken, not cut")
    #expect(table.text(within: 80).contains("Sign a note" + String(repeating: " ", count: 34) + "you approved"), "there is room")
    #expect(table.text(within: nil).contains("Sign a note" + String(repeating: " ", count: 34) + "you approved"))
  }

  @Test("The columns that a narrow terminal lacks are named, but not those that are empty") func namesWhatIsLeftOut() {
    var table = TextTable(["NAME", "KEY", "MADE", "NOTE"], keys: [1], spare: [2, 3])
    table.add(["main", Self.key, "2026-12-01 12:00", ""])
    #expect(table.leftOut(within: 80) == ["MADE"] && table.leftOut(within: 100).isEmpty && table.leftOut(within: nil).isEmpty)
  }

  @Test("A heading stands between rows and widens no column") func headingsWidenNothing() {
    var table = TextTable(["N", "WHAT"])
    table.addHeading("2026-12-01, a day with a long name")
    table.add(["1", "Locked"])
    #expect(table.text(within: 80) == "N  WHAT\n2026-12-01, a day with a long name\n1  Locked")
  }
}

@Suite struct BreakingTests {
  @Test("Long lines are broken between words, below their first letter, and tables stay as they are")
  func longLinesAreBroken() {
    #expect(broken("one two three", width: 9) == "one two\nthree")
    #expect(broken("  one two three", width: 9) == "  one two\n  three")
    #expect(broken("NAME  WHAT  WHY", width: 9) == "NAME  WHAT  WHY")
    #expect(broken("NAME  what it does", width: 9) == "NAME  what it does", "there is no room for the value")
    #expect(broken("NAME  what it does", width: 12) == "NAME\n    what it\n    does")
    let value = "one two three four five six"
    #expect(broken("  App   " + value, width: 30) == "  App   one two three four\n        five six")
    #expect(broken("  | " + value, width: 20) == "  | one two three\n  | four five six")
    #expect(broken("  A  B  " + value, width: 30) == "  A  B  " + value)
    #expect(broken("bunker://0123456789", width: 9) == "bunker://0123456789")
    #expect(broken("Try it: holdfast up --trial, then go on", width: 20) == "Try it:\nholdfast up --trial,\nthen go on")
    #expect(broken("Make one with 'holdfast init' now", width: 16) == "Make one with\n'holdfast init'\nnow")
    #expect(
      broken("For a phone: holdfast pair --relay wss://… (to find one: holdfast relay list)", width: 40)
        == "For a phone:\nholdfast pair --relay wss://… (to find\none: holdfast relay list)", "a remark behind a command")
    #expect(broken("  holdfast recovery restore bob --npub x", width: 20) == "  holdfast recovery restore bob --npub x")
    #expect(broken("a\n\nb c", width: 80) == "a\n\nb c" && broken("", width: 80) == "")
  }

  @Test(
    "A stranger's text never leaves its bar, its value or its indentation",
    arguments: [
      String(repeating: "x", count: 100), "Gm holdfast is " + String(repeating: "y ", count: 60),
      String(repeating: "日本", count: 60),
      String(repeating: "\u{A0}b\u{3000}c", count: 50), "'holdfast " + String(repeating: "z", count: 90),
      String(repeating: "👩‍👩‍👧", count: 60), "\u{34F}Good  morning  nostr" + String(repeating: "~", count: 60) + " This is safe",
      "\u{301}" + String(repeating: "a \u{301}b", count: 40), "A" + String(repeating: "\u{903}", count: 73) + "safe",
      String(repeating: "\u{1100}", count: 60), String(repeating: "\u{D4E}", count: 150),
      String(repeating: "\u{115F}", count: 60),
      String(repeating: "❤️", count: 60), String(repeating: "1️", count: 60), String(repeating: "🇦", count: 61),
      "export HOLDFAST_HOME=" + String(repeating: "x", count: 60) + "Allowed", "shred -" + String(repeating: "y ", count: 60),
      String(repeating: "\u{4DC0}", count: 60), String(repeating: "क्षि", count: 60), "npub1" + String(repeating: "q", count: 58),
    ])
  func aStrangersTextKeepsItsPlace(text: String) {
    for width in [20, 30, 40, 80] {
      let quoted = broken("    | " + printable(text, limit: 1000), width: width).split(separator: "\n")
      #expect(quoted.allSatisfy { $0.utf8.starts(with: "    | ".utf8) && columnWidth(of: String($0)) <= width })
      for lead in ["  App                 ", "    would ", "    + ", "  ! "] {
        let lines = broken(lead + printableWords(text, limit: 1000).withoutCommands(), width: width).split(separator: "\n")
        #expect(lines.dropFirst().allSatisfy { $0.utf8.starts(with: "    ".utf8) })
        #expect(lines.allSatisfy { columnWidth(of: String($0)) <= width })
      }
    }
    var table = TextTable(["N", "WHAT"])
    table.add(["1", text])
    let rows = table.text(within: 40).split(separator: "\n")
    #expect(
      rows.allSatisfy { columnWidth(of: String($0)) <= 40 } && rows.dropFirst(2).allSatisfy { $0.utf8.starts(with: "   ".utf8) })
  }

  @Test("What continues an entry of a list never looks like the next entry", arguments: ["+ ", "- ", "! "])
  func entriesContinueFurtherIn(sign: String) {
    let lines = broken("    " + sign + String(repeating: "a", count: 43) + " " + sign + "npub1friend", width: 50).split(
      separator: "\n")
    #expect(lines.count == 2 && lines[1].hasPrefix("      " + sign))
  }

  @Test("A key stays whole on a line of its own where its label leaves no room") func keysStayWhole() {
    let npub = "npub1" + String(repeating: "q", count: 58)
    let hex = String(repeating: "0a", count: 32)
    #expect(broken("  To                  " + npub, width: 80) == "  To\n    " + npub)
    #expect(broken("  Key   " + hex + " (yourself)", width: 70) == "  Key\n    " + hex + "\n        (yourself)")
    #expect(broken("    | " + npub, width: 40).split(separator: "\n").count == 2, "an app's is cut")
    let url = broken("  Says it is          https://a.example/ " + hex, width: 80).split(separator: "\n")
    #expect(url.dropFirst().allSatisfy { $0.hasPrefix("                      ") }, "behind other words it is cut")
  }

  @Test("An invisible name has something to see, and no cell looks like two columns") func invisibleTextIsSeen() {
    for text in ["\u{2800}", "\u{3164}", "\u{34F}", "\u{115F}\u{1160}", "\u{FFA0}", "\u{301}x"] {
      #expect(printable(text).hasPrefix("\\u{"))
    }
    #expect(columnWidth(of: "❤️") == 2 && columnWidth(of: "1️") == 2 && columnWidth(of: "🇦🇨🇦") == 4 && columnWidth(of: "❤") == 1)
    #expect(printable("a\u{301} ❤️ 👩‍👧") == "a\u{301} ❤️ 👩‍👧")
    var table = TextTable(["NAME", "KEY"])
    table.add(["Damus  \u{A0} f5d2a4c1  alice", "00"])
    #expect(table.text(within: nil).hasSuffix("Damus f5d2a4c1 alice  00"))
    let guarded = "x: holdfast unlock".withoutCommands()
    #expect(printable(guarded) == guarded, "what the signer made no command is none when it is cleaned again")
    #expect("try: holdfast unlock, holdfastly".withoutCommands() == "try: holdfast\u{A0}unlock, holdfastly")
  }

  @Test("JSON on a terminal holds nothing that moves the cursor or reorders text, and means the same") func jsonIsHarmless()
    throws
  {
    let json = "{\"content\":\"a\u{9B}2J\u{202E}b\u{7F}é日👩‍👧 \u{E0001}\"}"
    #expect(jsonForTerminal(json) == #"{"content":"a\u009b2J\u202eb\u007fé日👩‍👧 \udb40\udc01"}"#)
    #expect(try JSONValue(parsing: Array(jsonForTerminal(json).utf8)) == JSONValue(parsing: Array(json.utf8)))
  }

  @Test("A suggested command stays whole where it fits, and an indented one always") func commandsStayWhole() {
    #expect(broken("    Next: holdfast up --relay x", width: 28) == "    Next:\n    holdfast up --relay x")
    let command = "holdfast --home /" + String(repeating: "long", count: 10) + " unlock"
    #expect(broken("  Keys  locked: " + command, width: 40) == "  Keys  locked:\n        " + command, "the terminal breaks it")
    let long = "  export HOLDFAST_HOME=/" + String(repeating: "long", count: 20)
    #expect(broken(long, width: 40) == long)
    #expect(broken("Type now: export HOLDFAST_HOME=/srv/keys", width: 30) == "Type now:\nexport HOLDFAST_HOME=/srv/keys")
    #expect(broken("An export made of keys: none", width: 10) == "An export\nmade of\nkeys: none")
  }
}

@Suite struct PrintingTests {
  @Test(
    "Characters that would control the terminal are escaped",
    arguments: [
      ("Amethyst", "Amethyst"), ("\u{1B}[31mred\u{1B}[0m", "\\u{1b}[31mred\\u{1b}[0m"), ("a\nb\rc\tb", "a\\u{a}b\\u{d}c\\u{9}b"),
      ("\u{202E}gpj.exe", "\\u{202e}gpj.exe"), ("\u{9B}2J", "\\u{9b}2J"), ("\u{7F}", "\\u{7f}"), ("a\u{2028}b", "a\\u{2028}b"),
      ("zero\u{200B}width", "zero\\u{200b}width"), ("日本語 ü 👩‍🚀", "日本語 ü 👩‍🚀"), ("", ""),
    ])
  func escapesWhatATerminalWouldActOn(text: String, shown: String) { #expect(printable(text) == shown) }

  @Test("Endless text is cut") func cutsEndlessText() {
    #expect(printable(String(repeating: "a", count: 500), limit: 10) == "aaaaaaaaaa…")
    #expect(printable("a" + String(repeating: "\u{301}", count: 5000)).unicodeScalars.count == 201)
  }

  @Test("A table aligns wide characters and escapes hostile ones") func alignsWideAndHostileCells() {
    var table = TextTable(["NAME", "TRUST"])
    table.add(["日本語", "full"])
    table.add(["\u{1B}[2Jx", "low"])
    table.add(["e\u{301}clair"])
    #expect(
      table.text(within: nil) == """
        NAME        TRUST
        日本語      full
        \\u{1b}[2Jx  low
        e\u{301}clair
        """)
  }

  @Test("A table cuts long cells but never keys") func cutsLongCellsButNotKeys() {
    let long = String(repeating: "x", count: 64)
    var table = TextTable(["A", "B"], whole: [1])
    table.add([long, long])
    #expect(table.text(within: nil).split(separator: "\n").last == "\(String(repeating: "x", count: 39))…  \(long)")
  }

  @Test(
    "A progress bar shows the share that is done",
    arguments: [(0, "Checking [..........] 0 %"), (50, "Checking [#####.....] 50 %"), (100, "Checking [##########] 100 %")])
  func drawsABar(done: Int, line: String) {
    let percent = "\(done) %".count
    #expect(ProgressBar.line("Checking", done: done, total: 100, width: 24 + percent) == line)
  }

  @Test("A pager shows the end first only if it is less and nothing else") func aPagerReadsFromTheEnd() {
    #expect(Pager.readingFromEnd("less -FRX") == "less -FRX +G" && Pager.readingFromEnd("/usr/bin/less") == "/usr/bin/less +G")
    for other in ["more", "less | cat", "less; cat", "sh -c 'less'"] { #expect(Pager.readingFromEnd(other) == other) }
  }

  @Test("The pager is the person's own, or less if it is there") func thePagerIsFound() {
    func program(_ set: [String: String], less: Bool = true) -> String? { Pager.program({ set[$0] }, isThere: { _ in less }) }
    #expect(program(["HOLDFAST_PAGER": "most", "PAGER": "more"]) == "most" && program(["PAGER": "more"]) == "more")
    #expect(program([:]) == "less -FRX" && program([:], less: false) == nil && program(["HOLDFAST_PAGER": "cat"]) == nil)
  }

  @Test("A permission with a key is never broken, so that it can be copied") func aPermissionIsWhole() {
    let permission = "nip44_decrypt@" + String(repeating: "ab", count: 32)
    let line = "  Your rules   allow \(permission)"
    for width in [40, 60, 80] { #expect(broken(line, width: width).contains(permission), "\(width)") }
    let other = "strangers-text@" + String(repeating: "xy", count: 32)
    #expect(!broken("  Your rules   allow \(other)", width: 60).contains(other))
  }

  @Test("A progress bar fits every terminal") func barFitsEveryTerminal() {
    for width in 1...100 { #expect(ProgressBar.line("Checking", done: 7, total: 9, width: width).count < width) }
    #expect(ProgressBar.line("Checking", done: 7, total: 0, width: 80).hasSuffix("100 %"))
    #expect(ProgressBar.line("Checking", done: .max, total: 1, width: 80).hasSuffix("100 %"))
  }

  @Test("Text wraps between words") func wrapsBetweenWords() {
    #expect(wrapped("one two three", width: 7) == ["one two", "three"])
    #expect(wrapped("a\n\nb", width: 7) == ["a", "", "b"])
    #expect(wrapped("incomprehensibilities ok", width: 7) == ["incomprehensibilities", "ok"])
  }

  @Test("Styled parts are painted after the text was laid out, and each line ends unstyled") func styledText() {
    let line = "\(styled("Name", .bold))    \(styled("one two three", .bad))"
    #expect(unstyled(line) == "Name    one two three" && styled("x", .bold, if: false) == "x")
    #expect(
      painted(broken(line, width: 16))
        == "\u{1B}[1mName\u{1B}[0m\n    \u{1B}[31mone two\u{1B}[0m\n\u{1B}[31m    three\u{1B}[0m", "\(broken(line, width: 16))")
    var table = TextTable(["KEY", "NAME"], faint: [0])
    table.add(["ab", "x"])
    #expect(table.text(within: 80) == "KEY  NAME\nab   x")
    #expect(
      painted(table.text(within: 80, colors: true))
        == "\u{1B}[1mKEY\u{1B}[0m  \u{1B}[1mNAME\u{1B}[0m\n\u{1B}[2mab\u{1B}[0m   x")
  }

  @Test("Nobody else's text has marks of styles", arguments: TextStyle.allCases) func strangersHaveNoStyles(style: TextStyle) {
    #expect(painted(printable(styled("red", style))) == printable(styled("red", style)))
    #expect(!printable(styled("red", style)).utf8.contains(style.rawValue))
  }
}
