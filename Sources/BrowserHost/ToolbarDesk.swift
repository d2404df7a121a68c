import JSON
import LocalAccess
import OwnerAPI
import Platform

/// Answers the extension's toolbar page. Only the owner sees that page; no site's request gets here.
///
/// Each question is asked on a thread of its own, so that no page's request waits for it.
final class ToolbarDesk: Sendable {
  /// The most questions at once.
  static let mostAtOnce = 4
  /// How long the signer may take, in milliseconds.
  private static let patience = 5_000

  private let home: @Sendable () -> String
  private let extensionID: String
  private let output: BrowserOutput
  private let underWay = Locked(0)

  init(home: @escaping @Sendable () -> String, extensionID: String, output: BrowserOutput) {
    (self.home, self.extensionID, self.output) = (home, extensionID, output)
  }

  /// What the toolbar page shows.
  func state(_ id: String, origin: String?) {
    answer(id) { [self] in
      guard let status = ask(StatusShow.self, Nothing()) else { return ["running": false] }
      return ToolbarState(
        status: status, identities: ask(IdentityList.self, Nothing())?.identities ?? [],
        callers: (ask(LocalList.self, Nothing())?.programs ?? []).filter { $0.site?.extensionID == extensionID },
        requests: ask(RequestList.self, .init())?.requests ?? [], recent: recent
      ).json(origin: origin)
    }
  }

  /// Locks the session.
  func lock(_ id: String) {
    answer(id) { [self] in ask(SignerLock.self, Nothing()).map { ["locked": .bool($0.isLocked)] } ?? ["running": false] }
  }

  /// The last entries of the log about an app. Empty while the log is closed.
  private func recent(of app: AppSummary) -> [LogEntry] {
    var request = LogShow.Request()
    request.filter.client = app.pubkey
    // A request has two entries: what was decided, and what became of it.
    request.limit = Int64(3 * ToolbarState.mostRecent)
    return ask(LogShow.self, request)?.entries ?? []
  }

  private func answer(_ id: String, _ answer: @escaping @Sendable () -> JSONValue) {
    let isTaken = underWay.withLock { count in
      guard count < Self.mostAtOnce else { return false }
      count += 1
      return true
    }
    guard isTaken else { return refuse(id) }
    let isStarted = SystemThread.startDetached { [self] in
      output.send(BrowserAnswer.result(answer(), to: id))
      underWay.withLock { $0 -= 1 }
    }
    if !isStarted {
      underWay.withLock { $0 -= 1 }
      refuse(id)
    }
  }

  private func refuse(_ id: String) { output.send(BrowserAnswer.error(.tooMany, to: id)) }

  private func ask<Operation: OwnerOperation>(
    _ operation: Operation.Type, _ request: Operation.Request
  ) -> Operation.Response? {
    guard
      case .success(let result)? = try? ControlClient.call(home: home(), Operation.call(request), timeout: Self.patience)
    else { return nil }
    return try? Operation.response(from: result)
  }
}
