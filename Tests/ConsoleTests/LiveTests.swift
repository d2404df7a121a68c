import JSON
import OwnerAPI
import Platform
import SecretMemory
import Sockets
import Testing

@testable import Console

@Suite(.serialized) struct LiveTests {
  private func text(_ connection: Connection) -> String? {
    connection.frame().map { String(decoding: $0.payload, as: UTF8.self) }
  }

  @Test("Open pages are told what changed") func openPagesHearWhatChanged() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    let (connection, _) = try bench.signedIn().live()
    #expect(text(connection) == #"{"type":"hello"}"#)
    bench.console.tell(.requests)
    #expect(text(connection) == #"{"type":"requests"}"#)
    bench.console.tell(.incident(text: "A \"test\".", severity: "minor", time: 7))
    #expect(text(connection) == #"{"type":"incident","text":"A \"test\".","severity":"minor","time":7}"#)
  }

  /// A flood of requests is not a flood of messages.
  @Test("Many changes in a row cause two hints") func manyChangesAreToldAsTwo() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    let (connection, _) = try bench.signedIn().live()
    _ = connection.frame()
    for _ in 0..<500 { bench.console.tell(.requests) }
    #expect(text(connection) == #"{"type":"requests"}"#)
    #expect(text(connection) == #"{"type":"requests"}"#)
    bench.console.tell(.lock)
    #expect(text(connection) == #"{"type":"lock"}"#)
  }

  @Test("The live channel closes at once when its session ends") func theChannelClosesAtOnceWhenItsSessionEnds() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var (one, two) = (try bench.signedIn(), try bench.signedIn())
    let (connection, _) = try two.live()
    _ = connection.frame()
    let list = try #require(try one.call("session/list").result["sessions"]?.array)
    let other = try #require(list.first { $0["current"] == false }?["id"]?.string)
    _ = try one.call("session/revoke", ["id": .string(other)])
    var last = connection.frame()
    while let frame = last, frame.opcode != 8 { last = connection.frame() }
    let closing = try #require(last)
    #expect(UInt16(closing.payload[0]) << 8 | UInt16(closing.payload[1]) == LiveSockets.signedOutCode)
    _ = try two.call("session/state")
  }

  @Test("When everything is locked down, all sessions end and are told why") func whenAllIsShutEverybodyIsSignedOutAndHearsWhy()
    throws
  {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    var browser = try bench.signedIn()
    let token = try bench.token()
    let (connection, _) = try browser.live()
    _ = connection.frame()
    bench.console.tell(.incident(text: "Shut.", severity: "critical", time: 7))
    bench.console.endAllSessions()
    #expect(text(connection)?.contains("Shut.") == true)
    #expect(connection.frame()?.opcode == 8)
    #expect(try browser.call("client/list").status == 401)
    #expect(try browser.call("session/open", ["token": .string(token)]).status == 401)
    #expect(bench.events.withLock { $0.contains(.sessionEnded(.shut)) })
  }

  @Test("The number of open pages in one session is limited") func aSessionHasSoManyPagesAndNoMore() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    let browser = try bench.signedIn()
    var connections: [Connection] = []
    for _ in 0..<LiveSockets.mostPerSession {
      let (connection, got) = try browser.live()
      #expect(got.status == 101 && connection.frame() != nil)
      connections.append(connection)
    }
    #expect(try browser.live().1.status == 429)
    _ = connections
  }

  @Test("The ticker runs only while a page is open") func theTickerSleepsWithoutPages() throws {
    let bench = try ConsoleBench()
    defer { bench.stop() }
    #expect(bench.console.state.withLock { !$0.live.isTicking })
    let (connection, _) = try bench.signedIn().live()
    _ = connection.frame()
    #expect(bench.console.state.withLock { $0.live.isTicking })
  }
}
