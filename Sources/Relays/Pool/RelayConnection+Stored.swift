import Nostr
import Sockets

/// Reading what was stored before the subscription began.
extension RelayConnection {
  /// Asks for the page before, after one has ended.
  /// - Returns: false if no page of that name was being read.
  func readOn(after name: String) -> Bool {
    guard var pages = stored.removeValue(forKey: name) else { return false }
    let next = StoredPages.name(after: name)
    guard pages.goOn() else {
      if name == next { send(.close(subscription: name)) }
      return true
    }
    stored[next] = pages
    _ = pool.loop.after(milliseconds: pool.timing.betweenPages) { [weak self] in
      guard let self, let pages = stored[next] else { return }
      send(.request(subscription: next, filters: [pages.filter]))
    }
    return true
  }

  /// Leaves the pages that are being read.
  func leavePages() {
    for name in stored.keys where StoredPages.isLater(name) { send(.close(subscription: name)) }
    stored = [:]
  }
}
