import TestSupport
import Testing

@testable import Vault

@Suite struct StatementTests {
  private func given(_ database: Database) throws -> Statement { try database.prepare("SELECT ?") }

  private func withDatabase(_ body: (Database) throws -> Void) throws {
    let home = TemporaryHome()
    try home.create().close()
    try body(try Database(path: home.file))
  }

  @Test("A statement that is used again has nothing of its last use") func aStatementUsedAgainIsEmpty() throws {
    try withDatabase { database in
      for _ in 0..<2 {
        let statement = try given(database)
        #expect(try statement.step() && statement.bytes(0).isEmpty)
        statement.reset()
        try statement.bind(1, [7, 7])
        #expect(try statement.step() && statement.bytes(0) == [7, 7])
      }
    }
  }

  @Test("Two statements of one text are used at the same time") func twoOfOneTextAreApart() throws {
    try withDatabase { database in
      for _ in 0..<2 {
        let (one, other) = (try given(database), try given(database))
        try one.bind(1, 1)
        try other.bind(1, 2)
        #expect(try one.step() && other.step() && one.integer(0) == 1 && other.integer(0) == 2)
      }
    }
  }

  @Test("A statement that was left in the middle begins anew") func anAbandonedStatementBeginsAnew() throws {
    try withDatabase { database in
      for _ in 0..<2 {
        let rows = try database.prepare("SELECT kind FROM records LIMIT 1")
        #expect(try rows.step())
      }
    }
  }
}
