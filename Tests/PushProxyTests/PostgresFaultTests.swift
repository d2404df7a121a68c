import Curve
import Encodings
import SecretMemory
import Testing

@testable import PushProxy

@Suite("What a PostgreSQL server answers") struct PostgresFaultTests {
  @Test(
    "The code of a refused connection is found in libpq's message, whatever its language",
    arguments: [
      ("connection to server at \"10.0.0.1\", port 5432 failed: FATAL:  28P01\n", PostgresFault.wrongPassword),
      ("connection to server at \"0.0.0.0\", port 42501 failed: server does not support SSL, but SSL was required\n", .away),
      ("致命错误:  3D000\n", .noSuchDatabase),
      ("FATAL:  28P01\npassword retrieved from file \"/HOME1/x\"\n", .wrongPassword),
      ("FATAL:  57P03\n", .away), ("FATAL:  53300\n", .tooManyConnections), ("FATAL:  28000\n", .notAdmitted),
      ("could not connect to server: Connection refused\n\tIs the server running?", .away), ("", .away),
    ])
  func connecting(message: String, fault: PostgresFault) { #expect(PostgresFault(connecting: message) == fault) }

  @Test(
    "What is no code of PostgreSQL is not repeated to the operator",
    arguments: ["", "23505\u{1b}]0;", "2350", "canary", "２３５０５", "23 05", "23505\n"])
  func foreignCode(text: String) { #expect(PostgresFault(code: text) == .refused(code: "unknown")) }

  @Test("PostgreSQL's own codes are shown") func code() { #expect(PostgresFault(code: "XX000") == .refused(code: "XX000")) }

  @Test("A server may answer any number", arguments: [Int64.min, -1, 0, 60, .max])
  func numbers(number: Int64) {
    let request = WakeRequest(id: numbered(1).bytes, signer: numbered(2), relay: "", left: number, now: 1_800_000_000)
    #expect((1_800_000_000...1_800_000_060).contains(request.expires))
    #expect((0...1 << 32).contains(RegistrationsDatabase.count(number)))
  }

  @Test("No description of an address has its password") func redacted() throws {
    let address = try #require(PostgresAddress("postgres://me:canary@host/db"))
    var dumped = ""
    dump(address, to: &dumped)
    for text in ["\(address)", String(reflecting: address), dumped] { #expect(!text.contains("canary")) }
  }

  @Test("An address without a scheme, or of another database, is none", arguments: ["", "host=a password=b", "mysql://a/b"])
  func noAddress(text: String) { #expect(PostgresAddress(text) == nil) }

  @Test("Parameters are bytes of their types, not text") func parameters() {
    let parameters = PostgresParameters([.number(-2), .text("'; DROP TABLE x; --"), .bytes([]), .bytes([0, 0xff])])
    #expect(parameters.types == [20, 25, 17, 17])
    parameters.lend { count, values, lengths, formats in
      #expect(count == 4)
      #expect((0..<4).map { lengths?[$0] } == [8, 19, 0, 2] && (0..<4).allSatisfy { formats?[$0] == 1 && values?[$0] != nil })
      #expect((0..<8).map { values?[0]?[$0] } == [-1, -1, -1, -1, -1, -1, -1, -2])
    }
  }
}
