import Nostr
import Sockets

/// One answer that is sent to one relay.
final class Delivery: @unchecked Sendable {  // Sendable: used on the loop thread only
  var event: Event
  let publication: Publication
  let bytes: Int
  var attempt = 0
  /// In milliseconds of `Clock.bootMilliseconds`.
  var sentAt: Int64?
  var timer: Timer?

  init(_ event: Event, _ publication: Publication) {
    (self.event, self.publication) = (event, publication)
    bytes = event.content.utf8.count
  }
}
