/// A damaged vault that was opened to view and save what is intact. Nothing is signed for apps, and nothing in it changes.
package final class DamagedVaultView: Sendable {
  /// What is damaged.
  package let report: DamageReport
  /// Whether the home's log cannot be continued. Nothing is recorded then, and none of it is shown.
  package let isLogLost: Bool
  private let end: Ending

  /// In a struct: see `Locked`.
  struct Ending: Sendable { let body: @Sendable () -> Void }

  package init(_ report: DamageReport, isLogLost: Bool, end: @escaping @Sendable () -> Void) {
    (self.report, self.isLogLost, self.end) = (report, isLogLost, Ending(body: end))
  }

  /// Releases everything that was made for viewing. Call it after all use.
  func close() { end.body() }
}
