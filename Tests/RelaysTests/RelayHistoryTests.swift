import Testing

@testable import Relays

/// The last day of a relay, an hour at a time.
@Suite struct RelayHistoryTests {
  private static let hour: Int64 = 3600

  @Test("Drops and delays count for the hour in which they happened") func countsByHour() {
    var history = RelayHistory()
    history.lost(at: 7_200)
    history.accepted(after: 100, at: 10_799)
    history.accepted(after: 301, at: 10_799)
    history.lost(at: 10_800)
    #expect(history.hours.map(\.start) == [7_200, 10_800])
    #expect(history.hours.map(\.drops) == [1, 1] && history.hours.map(\.accepted) == [2, 0])
    #expect(history.hours.map(\.meanDelay) == [200, nil])
  }

  @Test("No more than 24 hours are kept, however long the signer runs") func staysSmall() {
    var history = RelayHistory()
    for hour in 0..<200 as Range<Int64> { for _ in 0..<3 { history.lost(at: hour * Self.hour + 5) } }
    #expect(history.hours.count == RelayHistory.mostHours && history.hours.last?.start == 199 * Self.hour)
    history.lost(at: 1_000 * Self.hour)
    #expect(history.hours.map(\.start) == [1_000 * Self.hour], "a day in which nothing happened leaves nothing")
  }

  @Test("A clock that is set back adds no hours") func clockSetBack() {
    var history = RelayHistory()
    for hour in (1...100 as ClosedRange<Int64>).reversed() { history.lost(at: hour * Self.hour) }
    #expect(history.hours.map(\.start) == [100 * Self.hour] && history.hours.first?.drops == 100)
    history.accepted(after: -5, at: 101 * Self.hour)
    #expect(history.hours.last?.meanDelay == 0)
  }
}
