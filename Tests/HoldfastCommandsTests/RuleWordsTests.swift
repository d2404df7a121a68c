import OwnerAPI
import Testing

@testable import HoldfastCommands

/// A rule is named by what `client show` prints, or by its beginning.
@Suite struct RuleWordsTests {
  private static let npub = "npub10xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqpkge6d"
  private static let hex = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"

  private static func rule(_ permission: String, _ text: String) -> AppRule {
    var rule = AppRule()
    (rule.permission, rule.text) = (permission, text)
    return rule
  }

  private static let rules = [
    rule("nip44_decrypt@" + hex, "nip44_decrypt@npub10xlxvlh…qpkge6d"), rule("sign_event:1", "sign_event:1"),
    rule("sign_event:22242@wss://relay.a.example", "sign_event:22242@wss://relay.a.example"),
    rule("sign_event:22242@wss://relay.b.example", "sign_event:22242@wss://relay.b.example"),
  ]

  @Test(
    "A rule is found by its short form and by the beginning that no other has",
    arguments: [
      ("nip44_decrypt@npub10xlxvlh…qpkge6d", "nip44_decrypt@" + hex), ("nip44_decrypt@npub10xlx", "nip44_decrypt@" + hex),
      ("nip44_decrypt@79be", "nip44_decrypt@" + hex),
      ("sign_event:22242@wss://relay.a", "sign_event:22242@wss://relay.a.example"),
      ("nip44_decrypt@79b", "nip44_decrypt@79b"), ("nip44_decrypt@npub10xl", "nip44_decrypt@npub10xl"),
      ("sign_event:22242@wss://relay", "sign_event:22242@wss://relay"), ("sign_event", "sign_event"),
      ("nip44_decrypt", "nip44_decrypt"),
    ])
  func findsTheRule(typed: String, meant: String) { #expect(RuleWords.whole(typed, among: Self.rules) == meant) }

  @Test("Of a wider permission without a rule, the one narrower rule is named")
  func namesTheNarrower() {
    #expect(RuleWords.narrower(than: "nip44_decrypt", among: Self.rules) == "nip44_decrypt@npub10xlxvlh…qpkge6d")
    #expect(RuleWords.narrower(than: "sign_event:22242", among: Self.rules) == nil, "two")
  }
}
