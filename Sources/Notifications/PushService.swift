import AuditLog
import HTTPClient
import JSON
import Platform
package import RemoteSigning
package import Signer
package import WebPush

/// Notifies the owner's browsers and phones that something waits. No message says what; a person who signs in can see it.
package final class PushService: Sendable {
  /// How long a push service may keep a message, in seconds: after that the request has other ways to be seen.
  private static let lifetime = 4 * 3600

  private let engine: SigningEngine
  private let signerEvents: SignerEvents
  private let book: PushBook
  private let post: PostOffice
  private let sender: PushSender

  /// - Parameter contact: how push services reach whoever runs this signer; part of every token.
  package init(
    _ engine: SigningEngine, _ signerEvents: SignerEvents, book: PushBook, options: PushSender.Options, contact: String
  ) {
    (self.engine, self.signerEvents, self.book) = (engine, signerEvents, book)
    let post = PostOffice(engine: engine, book: book, contact: contact)
    self.post = post
    sender = PushSender(
      options, hooks: .init(message: { post.message(to: $0, $1) }, settled: { post.settled($0, $1, $2, isOver: $3) }))
  }

  /// Begins to listen.
  package func begin(_ workers: Workers) {
    // What signs messages must be available while everything is locked, the vault included.
    workers.submitAlways { [post] in post.prepare() }
    signerEvents.subscribe { [self] signerEvent in
      switch signerEvent {
      case .requestWaits(let request):  // bounded by what waits
        workers.submitAlways { [self] in
          if engine.notifiedRequests.contains(where: { $0.name == request.name }) { tell(.waiting) }
        }
      case .requestEnded:
        workers.submit { [self] in if engine.notifiedRequests.isEmpty { sender.nothingWaits() } }
      case .incident(let incident) where incident.severity == .critical && !incident.isOwners:
        workers.submitAlways { [self] in tell(.incident) }
      case .shareAsked: workers.submitAlways { [self] in tell(.share) }
      default: break
      }
    }
  }

  private func tell(_ notice: PushNotice) { sender.want(notice, for: book.all.map(\.id)) }

  /// A message to try the way.
  package func test(_ id: String) { sender.want(.test, for: [id]) }

  /// Nothing more for this one.
  package func forget(_ id: String) { sender.drop(id) }

  package func stop() { sender.stop() }

  /// What the sender reads and reports on its thread.
  private final class PostOffice: Sendable {
    private let engine: SigningEngine
    private let book: PushBook
    private let contact: String
    private let key = Locked<VAPIDKey?>(nil)

    init(engine: SigningEngine, book: PushBook, contact: String) {
      (self.engine, self.book, self.contact) = (engine, book, contact)
    }

    /// Takes what messages need out of the vault, if there is anybody to be told.
    func prepare() { if !book.all.isEmpty { _ = try? signingKey() } }

    func message(to id: String, _ notice: PushNotice) -> PushMessage? {
      guard let subscription = book.subscription(id), let text = text(notice) else { return nil }
      let endpoint = subscription.receiver.endpoint
      do {
        return PushMessage(
          endpoint: endpoint, body: try PushEncryption.encrypt(text, for: subscription.receiver),
          authorization: try signingKey().authorization(for: endpoint, now: Clock.seconds), topic: notice.rawValue,
          lifetime: PushService.lifetime)
      } catch {
        book.note(id, error: "the message could not be made", now: Clock.seconds)
        return nil
      }
    }

    // What the service worker reads. Nothing of a request: not its app, not its kind.
    private func text(_ notice: PushNotice) -> [UInt8]? {
      let count = engine.notifiedRequests.count
      switch notice {
      case .waiting where count == 0: return nil
      case .waiting:
        return JSONValue.object([.init("v", 1), .init("type", "waiting"), .init("count", .integer(Int64(count)))]).serialized()
      case .incident, .share, .test:
        return JSONValue.object([.init("v", 1), .init("type", .string(notice.rawValue))]).serialized()
      }
    }

    private func signingKey() throws -> VAPIDKey {
      try key.withLock { key in
        if let key { return key }
        let made = try book.key(contact: contact)
        key = made
        return made
      }
    }

    func settled(_ id: String, _ notice: PushNotice, _ outcome: PushOutcome, isOver: Bool) {
      guard outcome != .gone else {
        _ = try? book.remove(id, reason: "gone at the push service")
        return
      }
      book.note(id, error: outcome.error(isOver: isOver), now: Clock.seconds)
    }
  }
}

extension PushOutcome {
  /// What went wrong, for the owner; nil when nothing did.
  func error(isOver: Bool) -> String? {
    let again = isOver ? "" : "; Holdfast will try again"
    switch self {
    case .delivered: return nil
    case .gone: return "the subscription no longer exists"
    case .refused(let status) where (300..<400).contains(status):
      return "the push service redirects (\(status)), and Holdfast does not follow redirects"
    case .refused(let status): return "the push service refused it (\(status))"
    case .later(let status, _): return "the push service is busy (\(status))\(again)"
    case .failed(let error): return error.text + again
    }
  }
}
