import AuditLog
import RemoteSigning
import Testing

@testable import Signer

@Suite struct RuleCodeTests {
  @Test("After a crash, an entry's code decides what is asked again, not its text", arguments: Rule.allCases)
  func codesDecide(rule: Rule) {
    let entry = AuditEntry(
      time: 0, kind: .requestDecided, decision: .allow, rule: "words that somebody wrote anew",
      code: AuditRule(clipping: rule.name))
    #expect(entry.decidingRule == rule)
    let contradicting = AuditEntry(
      time: 0, kind: .requestDecided, rule: AuditRule(clipping: Rule.ownerApproved.reason), code: "medium-trust")
    #expect(contradicting.decidingRule == .mediumTrust)
  }

  @Test("An entry of an earlier version, which has only text, is still understood", arguments: Rule.allCases)
  func olderEntries(rule: Rule) {
    let text = rule.reason + " (console)"
    #expect(AuditEntry(time: 0, kind: .requestDecided, rule: AuditRule(clipping: rule.reason)).decidingRule == rule)
    guard text.utf8.count <= AuditRule.maximumLength else { return }
    #expect(AuditEntry(time: 0, kind: .requestDecided, rule: AuditRule(clipping: text)).decidingRule == rule)
  }
}
