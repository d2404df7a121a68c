package import EntrustedShares
import Platform
import Vault

/// Waiting times: how long an owner has to learn of a request and to stop it. They run on a clock that nobody can set.
extension GuardianBook {
  private static let clock = Array("guardian.clock".utf8)
  /// While a wait runs, the counted time is stored this often, in seconds. A machine that loses its power loses at most this much
  /// of it.
  static let noteEvery: Int64 = 600

  /// Milliseconds counted so far. Only differences between two values are meaningful.
  func counted(at moment: Moment) throws(VaultError) -> Int64 {
    let noted = try vault.value(.setting, id: Self.clock).flatMap { CountedTime($0) }
    let counted = noted?.counted(at: moment) ?? 0
    // If the system does not identify this start, no time counts: a share too late is better than one too early.
    guard let start = moment.start else { return noted?.counted ?? 0 }
    // After a new start of the machine, counting continues from here.
    if noted?.start != start || (noted?.boot ?? 0) > moment.boot { try note(counted, moment, start) }
    return counted
  }

  private func note(_ counted: Int64, _ moment: Moment, _ start: [UInt8]) throws(VaultError) {
    try vault.transaction([
      .put(.setting, Self.clock, CountedTime(counted: counted, boot: moment.boot, start: start).bytes)
    ])
  }

  /// Stores the counted time while a wait runs.
  func noteTime(at moment: Moment) throws {
    try turn.withLock {
      guard let start = moment.start, try isWaiting() else { return }
      try note(try counted(at: moment), moment, start)
    }
  }

  /// Whether somebody waits for a share that is kept here.
  func isWaiting() throws(VaultError) -> Bool { try requests(.guardian).contains { $0.isOpen && $0.wait != nil } }

  // MARK: one request

  /// Begins the wait of a request, because its owner is told now.
  func begin(_ request: inout ShareRequest, at moment: Moment) throws {
    let counted = try counted(at: moment)
    request.wait = .init(from: counted, to: counted + (try longestDelay(of: request)) * 1000)
    request.until = try expectedEnd(of: request, at: moment)
  }

  /// The longest delay of the shares that the request would get, in seconds.
  private func longestDelay(of request: ShareRequest) throws(VaultError) -> Int64 {
    try shares(for: request).map(\.delay).max() ?? 0
  }

  /// The shares that the request would get.
  func shares(for request: ShareRequest) throws(VaultError) -> [EntrustedShare] {
    try held().filter { $0.kit == request.kit && $0.other == request.third && $0.identity == request.identity }
  }

  /// Milliseconds that the request still has to wait, according to the shares kept now. A share with a longer delay that came
  /// since then prolongs the wait; nothing makes it shorter than the owner was told.
  func left(of request: ShareRequest, at moment: Moment) throws -> Int64? {
    guard let wait = request.wait else { return nil }
    return max(wait.to, wait.from + (try longestDelay(of: request)) * 1000) - (try counted(at: moment))
  }

  /// When the wait will probably be over, seconds since 1970. 0 while it has not begun.
  package func expectedEnd(of request: ShareRequest, at moment: Moment) throws -> Int64 {
    guard let left = try left(of: request, at: moment) else { return 0 }
    return moment.wall + (max(0, left) + 999) / 1000
  }
}
