import Nostr
import Sockets

/// Reading what was stored before the subscription began.
extension RelayConnection {
  /// Asks for the page before, after one has ended.
  /// - Returns: false if no page of that name was being read.
  func readOn(after name: String) -> Bool {
    guard var pages = stored.removeValue(forKey: name) else { return false }
    // Left at once: what comes later is not of this page.
    if StoredPages.isLater(name) { send(.close(subscription: name)) }
    guard pages.goOn() else { return true }
    let (next, reading) = (StoredPages.name(after: name), reading)
    _ = pool.loop.after(milliseconds: pool.timing.betweenPages) { [weak self, pages] in
      guard let self, self.reading == reading else { return }
      stored[next] = pages
      send(.request(subscription: next, filters: [pages.filter]))
    }
    return true
  }

  /// Leaves the pages that are being read.
  func leavePages() {
    for name in stored.keys where StoredPages.isLater(name) { send(.close(subscription: name)) }
    (stored, reading) = ([:], reading + 1)
  }
}
