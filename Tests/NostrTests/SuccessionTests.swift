import Curve
import Nostr
import Testing

/// The two events of a succession, and every way in which one of them is not what it should be.
struct SuccessionTests {
  let old: KeyPair
  let new: KeyPair
  let stranger: KeyPair
  let statement: Event
  let acceptance: Event

  init() throws {
    (old, new, stranger) = (try .random(), try .random(), try .random())
    statement = try Succession.statement(from: old.publicKey, to: new.publicKey, reason: .rotated, now: 1000).signed(by: old)
    acceptance = try Succession.acceptance(of: statement, by: new.publicKey, now: 1001).signed(by: new)
  }

  @Test("A statement and its acceptance together make a succession", arguments: Succession.Reason.allCases)
  func aStatementAndItsAcceptanceMakeASuccession(reason: Succession.Reason) throws {
    let statement = try Succession.statement(from: old.publicKey, to: new.publicKey, reason: reason, now: 7).signed(by: old)
    let acceptance = try Succession.acceptance(of: statement, by: new.publicKey, now: 8).signed(by: new)
    #expect(try Succession.successor(namedBy: statement) == new.publicKey)
    try Succession.check(statement, acceptedBy: acceptance)
    #expect(statement.firstTag("reason") == reason.rawValue)
    #expect(statement.content.contains(new.publicKey.npub))
    #expect(!EventKind.isReplaceable(statement.kind) && !EventKind.isAddressable(statement.kind))
  }

  /// A thief of nothing: he names himself as somebody's successor, or somebody's successor as his own.
  @Test("A key cannot declare itself the successor of another") func nobodyBecomesSuccessorByHisOwnWord() throws {
    let claimed = try Succession.acceptance(of: statement, by: stranger.publicKey, now: 2).signed(by: stranger)
    #expect(throws: SuccessionError.acceptedByAnother) { try Succession.check(statement, acceptedBy: claimed) }
    let foisted = try Succession.statement(from: stranger.publicKey, to: new.publicKey, reason: .rotated, now: 2)
      .signed(by: stranger)
    #expect(throws: SuccessionError.acceptsAnother) { try Succession.check(foisted, acceptedBy: acceptance) }
  }

  @Test("An acceptance is valid for one statement only") func anAcceptanceIsOfOneStatementOnly() throws {
    let second = try Succession.statement(from: old.publicKey, to: new.publicKey, reason: .compromised, now: 9).signed(by: old)
    #expect(throws: SuccessionError.acceptsAnother) { try Succession.check(second, acceptedBy: acceptance) }
  }

  @Test("A statement not signed by its author counts as forged") func whatIsNotSignedByItsAuthorIsForged() throws {
    let forged = try event(statement.unsigned.tags, by: stranger, as: old.publicKey)
    #expect(throws: SuccessionError.forged) { try Succession.successor(namedBy: forged) }
    #expect(throws: SuccessionError.forged) {
      try Succession.check(statement, acceptedBy: event(acceptance.tags, by: stranger, as: new.publicKey))
    }
  }

  @Test("A statement must name exactly one other key") func aStatementNamesExactlyOneOtherKey() throws {
    let tags: [([[String]], SuccessionError)] = [
      ([], .notOneSuccessor(count: 0)), ([["p", new.publicKey.hex]], .notOneSuccessor(count: 0)),
      ([["p", "not a key", "", "successor"]], .notOneSuccessor(count: 0)),
      (
        [["p", new.publicKey.hex, "", "successor"], ["p", stranger.publicKey.hex, "", "successor"]], .notOneSuccessor(count: 2)
      ),
      ([["p", old.publicKey.hex, "", "successor"]], .namesItself),
      ([["p"], [], ["p", "", "", "successor"]], .notOneSuccessor(count: 0)),
    ]
    for (tags, fault) in tags {
      let event = try event(tags, by: old, as: old.publicKey)
      #expect(throws: fault) { try Succession.successor(namedBy: event) }
    }
    let note = try UnsignedEvent(pubkey: old.publicKey, createdAt: 1, kind: 1, tags: statement.tags).signed(by: old)
    #expect(throws: SuccessionError.wrongKind) { try Succession.successor(namedBy: note) }
  }

  private func event(_ tags: [[String]], by key: KeyPair, as author: PublicKey) throws -> Event {
    let unsigned = UnsignedEvent(pubkey: author, createdAt: 5, kind: Succession.kind, tags: tags)
    return try unsigned.signed(by: key)
  }
}
