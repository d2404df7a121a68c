package import EntrustedShares
import Platform
import Vault

/// Waits: how long an owner has to hear of a request and stop it. They run on a clock that nobody sets.
extension GuardianBook {
  private static let clock = Array("guardian.clock".utf8)
  /// While a wait runs, the time counted is stored this often, in seconds: a machine that loses its power loses so much of it.
  static let noteEvery: Int64 = 600

  /// Milliseconds counted so far. Only differences mean anything.
  func counted(at moment: Moment) throws(VaultError) -> Int64 {
    let noted = try vault.value(.setting, id: Self.clock).flatMap { CountedTime($0) }
    let counted = noted?.counted(at: moment) ?? 0
    // Where the system does not say which start this is, no time counts: a share too late is better than one too early.
    guard let start = moment.start else { return noted?.counted ?? 0 }
    // In a new start of the machine, counting goes on from here.
    if noted?.start != start || (noted?.boot ?? 0) > moment.boot { try note(counted, moment, start) }
    return counted
  }

  private func note(_ counted: Int64, _ moment: Moment, _ start: [UInt8]) throws(VaultError) {
    try vault.transaction([
      .put(.setting, Self.clock, CountedTime(counted: counted, boot: moment.boot, start: start).bytes)
    ])
  }

  /// Stores what was counted, when a wait runs.
  func noteTime(at moment: Moment) throws {
    try turn.withLock {
      guard let start = moment.start, try isWaiting() else { return }
      try note(try counted(at: moment), moment, start)
    }
  }

  /// Whether somebody waits for a share that is kept here.
  func isWaiting() throws(VaultError) -> Bool { try requests(.guardian).contains { $0.isOpen && $0.wait != nil } }

  // MARK: one request

  /// The wait of a request begins: its owner is told now.
  func begin(_ request: inout ShareRequest, at moment: Moment) throws {
    let counted = try counted(at: moment)
    request.wait = .init(from: counted, to: counted + (try longestDelay(of: request)) * 1000)
    request.until = try expectedEnd(of: request, at: moment)
  }

  /// The longest of all shares that would be given to it, in seconds.
  private func longestDelay(of request: ShareRequest) throws(VaultError) -> Int64 {
    try shares(for: request).map(\.delay).max() ?? 0
  }

  /// The shares that would be given to a request.
  func shares(for request: ShareRequest) throws(VaultError) -> [EntrustedShare] {
    try held().filter { $0.kit == request.kit && $0.other == request.third && $0.identity == request.identity }
  }

  /// Milliseconds it has to wait still, by what is kept now: a share with a longer delay that came since prolongs the wait, nothing
  /// shortens what the owner was told.
  func left(of request: ShareRequest, at moment: Moment) throws -> Int64? {
    guard let wait = request.wait else { return nil }
    return max(wait.to, wait.from + (try longestDelay(of: request)) * 1000) - (try counted(at: moment))
  }

  /// When its wait will be over as far as anybody can say, seconds since 1970; 0 while it has not begun.
  package func expectedEnd(of request: ShareRequest, at moment: Moment) throws -> Int64 {
    guard let left = try left(of: request, at: moment) else { return 0 }
    return moment.wall + (max(0, left) + 999) / 1000
  }
}
