import Foundation
import OwnerAPI
import QRCodes
import SecretMemory
import TestSupport
import Testing

@testable import SharePages

@Suite struct SharePageTests {
  static let words =
    "shadow pistol academic always adequate wildlife fancy gross oasis cylinder mustang wrist rescue view short owner flip making coding armed"

  static let vaultKit: KitDetail = {
    var kit = KitDetail()
    (kit.summary.id, kit.summary.restores, kit.summary.groups) = ("0d3f", "vault", [[3, 5]])
    (kit.summary.label, kit.summary.made, kit.summary.hasCode) = ("<b>& home", 1_760_000_000, true)
    (kit.holds, kit.elsewhere) = ("the key to a vault <i>", "Of no use elsewhere.")
    kit.steps = [step("Run this & wait.", "holdfast recovery restore"), step("That is all.", nil)]
    return kit
  }()

  private static func step(_ text: String, _ command: String?) -> KitStep {
    var step = KitStep()
    (step.text, step.command) = (text, command)
    return step
  }

  private func page(_ kit: KitDetail, _ index: Int) throws -> (name: String, text: String) {
    let page = SharePage(kit: kit)
    let place = try #require(page.place(of: index))
    let words = try secret(Self.words)
    var text: [UInt8] = []
    page.write(place, words: words, code: try words.withBytes { try QRCode(bytes: $0) }) { text += $0 }
    return (page.fileName(of: place), String(decoding: text, as: UTF8.self))
  }

  @Test("A sheet holds all that is needed and loads nothing") func aPageSaysAllThatIsNeededAndLoadsNothing() throws {
    let (name, text) = try page(Self.vaultKit, 1)
    #expect(name == "holdfast-kit-0d3f-sheet-2-of-5.html")
    for part in [
      "Sheet 2 of 5", "Any 3 of these 5 sheets", "0d3f", "2025-10-09", "whole Holdfast vault", "@page", "<svg", "<li>shadow</li>",
      "&lt;b&gt;&amp; home",
      "<li>Run this &amp; wait.<code class=\"run\"><span>holdfast</span> <span>recovery</span> <span>restore</span></code></li>",
      "<li>That is all.</li>",
      "Together they give</th><td>the key to a vault &lt;i&gt;.", "Of no use elsewhere.", "Needed in addition to the sheets",
    ] { #expect(text.contains(part), "\(part)") }
    for part in ["<script", "http://", "https://", "src=", "<b>&", "<i>.", "url(", "Its npub"] {
      #expect(!text.replacing("http://www.w3.org/2000/svg", with: "").contains(part), "\(part)")
    }
    #expect(text.components(separatedBy: "<li>").count == 20 + 2 + 1)
  }

  @Test("Instructions are whole, however long: paper cannot be corrected") func longInstructions() throws {
    var kit = Self.vaultKit
    let text = String(repeating: "Bring the sheets together. ", count: 40) + "Then choose a new passphrase."
    kit.steps = [Self.step(text, nil)]
    #expect(try page(kit, 0).text.contains("<li>\(text)</li>"))
  }

  @Test("The sheet of a share in a group names the group") func aPageOfAGroupSaysWhich() throws {
    var kit = KitDetail()
    (kit.summary.id, kit.summary.restores, kit.summary.npub) = ("0d3f", "alice", "npub1x")
    (kit.summary.groups, kit.summary.groupThreshold) = ([[2, 3], [1, 1]], 2)
    let (name, text) = try page(kit, 3)
    #expect(name == "holdfast-kit-0d3f-group-2-sheet-1-of-1.html")
    #expect(
      text.contains("Group 2 of 2, sheet 1 of 1") && text.contains("2 of the 2 groups restore it") && text.contains("alice")
        && text.contains("<tr><th>Its npub</th><td>npub1x</td></tr>") && text.contains("<td>None.</td>"))
    #expect(SharePage(kit: kit).place(of: 4) == nil)
  }
}
