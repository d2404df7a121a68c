import Platform
import Relays

extension ProxyFigures {
  /// What the parts of a running proxy know.
  init(watcher: RequestWatcher, table: RelayTable, sender: WakeSender, pruning: Pruning) {
    self.init()
    let (seen, health) = (watcher.figures, watcher.health)
    (lastEventAt, events) = (seen.lastEventAt, Int64(seen.received))
    // Those that are left alone for a while wait, too.
    relays = Int64(health.count + watcher.evicted.count)
    relaysConnected = Int64(health.count(where: \.isHearing))
    relaysSilent = Int64(health.count(where: \.isSilent))
    (ownRelays, ownRelaysConnected) = (Int64(watcher.ownCount), Int64(watcher.ownHearing))
    silentSeconds = watcher.silentMilliseconds / 1_000
    (relaysLeftOut, relaysDeclined) = (Int64(table.leftOut), table.declined)
    if let apple = sender.appleFigures { self.apple = Apple(apple, pruning.forgotten, now: Clock.seconds) }
    web = Sends(sender.webFigures)
  }
}

extension ProxyFigures.Apple {
  init(_ figures: SendingFigures, _ forgotten: Pruning.Forgotten, now: Int64) {
    self.init()
    (sessionConnects, sessionInvalidations) = (Int64(figures.sessionConnects), Int64(figures.sessionInvalidations))
    sends = ProxyFigures.Sends(figures)
    (pruneOnBadDeviceToken, pruneOnUnregistered) = (Int64(forgotten.bad), Int64(forgotten.unregistered))
    (sessionAlive, sessionAgeSeconds) = (figures.sessionAlive, figures.sessionAgeSeconds(now: now))
  }
}

extension ProxyFigures.Sends {
  init(_ figures: SendingFigures) {
    self.init()
    (sendOk, sendFail, sendRetried) = (Int64(figures.sendOk), Int64(figures.sendFail), Int64(figures.sendRetried))
    (lastSendAt, lastFailureAt, lastFailureReason) = (figures.lastSendAt, figures.lastFailureAt, figures.lastFailureReason)
  }
}
