import Platform
import Relays

extension ProxyFigures {
  /// What the parts of a running proxy know.
  init(watcher: RequestWatcher, sender: WakeSender) {
    self.init()
    let (seen, health) = (watcher.figures, watcher.health)
    (lastEventAt, events) = (seen.lastEventAt, Int64(seen.received))
    (relays, relaysConnected) = (Int64(health.count), Int64(health.count { $0.state == .connected }))
    if let apple = sender.appleFigures { self.apple = Apple(apple, now: Clock.seconds) }
    (webPushOk, webPushFail) = (Int64(sender.webFigures.sendOk), Int64(sender.webFigures.sendFail))
  }
}

extension ProxyFigures.Apple {
  init(_ figures: SendingFigures, now: Int64) {
    self.init()
    (sessionConnects, sessionInvalidations) = (Int64(figures.sessionConnects), Int64(figures.sessionInvalidations))
    (sendOk, sendFail, sendRetried) = (Int64(figures.sendOk), Int64(figures.sendFail), Int64(figures.sendRetried))
    (pruneOnBadDeviceToken, pruneOnUnregistered) = (Int64(figures.pruneOnBadDeviceToken), Int64(figures.pruneOnUnregistered))
    (lastSendAt, lastFailureAt, lastFailureReason) = (figures.lastSendAt, figures.lastFailureAt, figures.lastFailureReason)
    (sessionAlive, sessionAgeSeconds) = (figures.sessionAlive, figures.sessionAgeSeconds(now: now))
  }
}
