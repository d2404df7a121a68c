import Foundation
import Mnemonics
import SecretMemory
import TestSupport
import Testing

@testable import TerminalUI

@Suite struct ShareIntakeTests {
  private static let pageWords =
    ("shadow pistol academic always adequate wildlife fancy gross oasis cylinder mustang wrist rescue view short owner flip making "
    + "coding armed").split(separator: " ")

  private static func page(_ words: [Substring], before: String = "", after: String = "") -> String {
    let list = words.map { "<li>\($0)</li>\n" }.joined()
    return
      "<!DOCTYPE html>\n<html><body>\(before)<section class=\"share\"><ol>\n\(list)</ol>\n<figure></figure></section>\(after)</body></html>"
  }

  @Test("The words of a printed page are taken as if they were typed") func takesPages() throws {
    var (typed, read) = (ShareIntake(), ShareIntake())
    try typed.take(try secret(Self.pageWords.joined(separator: " ")))
    #expect(try read.take(try secret(Self.page(Self.pageWords, before: "<ol><li>one</li></ol>"))) == 1)
    let first = try typed.lines()
    let second = try read.lines()
    let isSame = first.equals(second)
    #expect(isSame && read.kit == typed.kit)
  }

  @Test(
    "A page that is not written as Holdfast writes it is refused and named",
    arguments: [
      page([]), page(Array(pageWords.prefix(19))), page(pageWords + pageWords), page(pageWords, after: page(pageWords)),
      page(["<b>shadow"] + pageWords.dropFirst()), page(["SHADOW"] + pageWords.dropFirst()),
      page(["shadowshadow"] + pageWords.dropFirst()),
      page([""] + pageWords.dropFirst()), String(page(pageWords).prefix(200)), "<!DOCTYPE html>",
    ]) func refusesOtherPages(text: String) throws
  {
    var intake = ShareIntake()
    let error = #expect(throws: ShareEntryError.self) { try intake.take(try secret(text), from: "x.html") }
    #expect(error?.text == "“x.html” is a page, but not one of a recovery kit.")
  }

  /// A kit of two in three, and one of another kit (SLIP-39's vectors hold shares of the same form).
  static let kit = [
    "shadow pistol academic always adequate wildlife fancy gross oasis cylinder mustang wrist rescue view short owner flip making coding armed",
    "shadow pistol academic acid actress prayer class unknown daughter sweater depict flip twice unkind craft early superior advocate guest smoking",
  ]
  static let foreign =
    "duckling enlarge academic academic agency result length solution fridge kidney coal piece deal husband erode duke ajar critical decision keyboard"

  private func taken(_ texts: [String]) throws -> ShareIntake {
    var intake = ShareIntake()
    for (index, text) in texts.enumerated() { try intake.take(try secret(text), from: "file \(index + 1)") }
    return intake
  }

  private func error(_ texts: [String]) -> ShareEntryError? {
    do {
      _ = try taken(texts)
      return nil
    } catch { return error as? ShareEntryError }
  }

  private static func below(_ words: String) -> String { words.replacing(" ", with: "\n") }

  private static func numbered(_ words: String) -> String {
    words.split(separator: " ").enumerated().map { "\($0.offset + 1). \($0.element)" }.joined(separator: "\n")
  }

  private static func onTwoLines(_ words: String) -> String {
    let words = words.split(separator: " ")
    return words.prefix(10).joined(separator: " ") + "\n" + pageWords.dropFirst(10).joined(separator: " ")
  }

  static let forms: [[String]] = [
    [kit[0], kit[1]], [kit[0] + "\n" + kit[1]], [kit[0] + "\r\n\r\n" + kit[1] + "\r\n"],
    ["# my kit\n\n" + below(kit[0]) + "\n\n# the other\n" + below(kit[1])],
    [numbered(kit[0]) + "\n\n" + numbered(kit[1])], [#"{"shares":["\#(kit[0])","\#(kit[1])"]}"#],
    [kit[0].uppercased(), "  " + kit[1]], [onTwoLines(kit[0]), kit[1]],
  ]

  @Test("Shares are read in the forms in which people keep them", arguments: forms)
  func sharesAreReadAsPeopleKeepThem(texts: [String]) throws {
    let intake = try taken(texts)
    #expect(intake.count == 2 && intake.isComplete && intake.progress?.missing == "")
    #expect(try intake.lines().text() == Self.kit.joined(separator: "\n") + "\n")
  }

  @Test("Missing shares are reported") func whatIsMissingIsSaid() throws {
    let intake = try taken([Self.kit[0]])
    #expect(!intake.isComplete && intake.progress?.missing == "1 more of this kit" && intake.kit?.count == 4)
  }

  @Test(
    "The share at fault is named",
    arguments: [
      ([kit[0], foreign], "Share 2 (file 2) belongs to another kit."),
      ([kit[0], kit[0]], "Share 2 (file 2) is the same as share 1."),
      ([kit[0] + " armed"], "Share 1 (file 1) has 21 words; a share has 20, or 33."),
      ([kit[0].replacing("fancy", with: "fanxcy")], "Share 1 (file 1): word 7 is not in the list of words."),
      ([kit[0].replacing("fancy", with: "gross")], "Share 1 (file 1) is damaged: its words do not fit together."),
      (["\n\n"], "There is no share in “file 1”."), (["{}"], "There is no share in “file 1”."),
    ])
  func theShareAtFaultIsNamed(texts: [String], sentence: String) { #expect(error(texts)?.text == sentence) }

  @Test("The suggested word is shown only to the person who types") func theNearestWordIsForTheTypistOnly() throws {
    let found = try #require(self.error([Self.kit[0].replacing("fancy", with: "fanxcy")]))
    let word = try #require(found.suggestion).duplicate().text()
    #expect(word == "fancy")
    #expect(!found.text.contains("fan") && !found.hint.contains("fan") && !"\(found)".contains("fancy"))
  }
}
