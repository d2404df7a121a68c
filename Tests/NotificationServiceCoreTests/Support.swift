import Curve
import Encodings
import Foundation
import Nostr
import NotificationServiceCore
import NotificationServiceSupport
import RemoteSigning
import TestSupport

/// A phone whose folder is gone with it.
final class Scene {
  let home = TemporaryHome()
  let phone: Phone

  init() throws { phone = try Phone(home.path) }

  /// A request to sign an event, and what its wake gives.
  func sign(_ app: inout RemoteSigner, _ text: String = template()) throws -> NotificationOutcome {
    phone.wake(phone.push(try request(&app, text)))
  }

  func request(_ app: inout RemoteSigner, _ text: String = template()) throws -> Event {
    try app.request(.signEvent, [text], now: phone.now).event
  }

  func bytes(_ file: String) throws -> [UInt8] { try home.bytes(of: file) }
}

extension RemoteSigner.Reply {
  /// The event that was signed for the app.
  var signed: Event? { if case .result(_, let json) = self { try? Event(parsing: Array(json.utf8)) } else { nil } }
  var isRefusal: Bool { if case .refused = self { true } else { false } }
}

/// The same event under a signature that does not hold.
func forged(_ event: Event) -> Event {
  Event(
    id: event.id, pubkey: event.pubkey, createdAt: event.createdAt, kind: event.kind, tags: event.tags, content: event.content,
    signature: Signature(r: .init(), s: .init()))
}
