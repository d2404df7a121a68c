import RemoteSigning
import Signer

/// What the start says of apps and their requests.
extension Daemon {
  /// After a restore, no app is served before its owner resumes it.
  var pausedApps: [String] {
    let apps = home.engine.pairings
    guard !apps.isEmpty, apps.allSatisfy(\.grant.isSuspended), !home.sessionLock.isSuspended else { return [] }
    let paused =
      apps.count == 1
      ? "The paired app is paused: it asks" : "All apps are paused: they ask"
    return ["\(paused) you for everything. To see which: holdfast client list. To resume one: holdfast client resume NAME"]
  }

  /// What waited when it was stopped, and still does.
  var waitingRequests: [String] {
    let count = home.engine.pendingRequests.count
    guard count > 0 else { return [] }
    return [
      "\(count) request\(count == 1 ? " waits" : "s wait") for your answer. To see \(count == 1 ? "it" : "them"): holdfast request list"
    ]
  }
}
