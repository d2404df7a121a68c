import Encodings
import Notifications
import OwnerAPI
import Platform
import RemoteSigning
import WebPush

/// Web Push: which browsers and phones are notified.
extension Operations {
  static let pushHandlers: [OperationHandler] = [
    .init(PushKey.self) { operations, _, _ in try operations.pushKey() },
    .init(PushSubscribe.self) { operations, request, _ in try operations.subscribePush(request) },
    .init(PushList.self) { operations, _, _ in operations.listPushes() },
    .init(PushRemove.self) { try $0.removePush($1, $2) },
    .init(PushTest.self) { operations, request, _ in try operations.testPush(request) },
  ]

  private func pushKey() throws -> PushKey.Response {
    var response = PushKey.Response()
    response.key = try services.pushes.key(contact: "").publicKey
    return response
  }

  private func subscribePush(_ request: PushSubscribe.Request) throws -> PushSubscribe.Response {
    let receiver = try Self.receiver(request)
    let label = ShownText.clean(request.label ?? "", limit: PushSubscription.longestLabel)
    let made = try services.pushes.subscribe(receiver, label: label.isEmpty ? receiver.endpoint.host : label, now: Clock.seconds)
    var response = PushSubscribe.Response()
    response.id = made.id
    return response
  }

  private static func receiver(_ request: PushSubscribe.Request) throws -> PushReceiver {
    guard let key = Base64URL.decode(request.key), let auth = Base64URL.decode(request.authentication) else {
      throw OperationError.usage("“p256dh” and “auth” must be base64url without padding.")
    }
    do throws(WebPushError) {
      return try PushReceiver(endpoint: PushEndpoint(parsing: request.endpoint), key: key, auth: auth)
    } catch {
      switch error {
      case .endpointNotHTTPS: throw OperationError.usage("A push service's address begins with https://.")
      case .endpointTooLong(let limit): throw OperationError.usage("A push service's address has at most \(limit) bytes.")
      case .endpointMalformed: throw OperationError.usage("This is not the address of a push service.")
      case .authNot16Bytes: throw OperationError.usage("“auth” must be 16 bytes.")
      default: throw OperationError.usage("“p256dh” is not a point of P-256.")
      }
    }
  }

  private func listPushes() -> PushList.Response {
    var response = PushList.Response()
    response.subscriptions = services.pushes.all.map(PushSubscriber.init)
    return response
  }

  private func removePush(_ request: PushSubscriberRequest, _ call: OperationCall) throws -> PushRemove.Response {
    guard try services.pushes.remove(request.id, reason: .by(call.channel)) else { throw OperationError.noSubscription }
    running?.pushes?.forget(request.id)
    var response = PushRemove.Response()
    response.id = request.id
    return response
  }

  private func testPush(_ request: PushSubscriberRequest) throws -> PushTest.Response {
    guard let running, let pushes = running.pushes else { throw OperationError.needsDaemon }
    guard services.pushes.subscription(request.id) != nil else { throw OperationError.noSubscription }
    pushes.test(request.id)
    var response = PushTest.Response()
    response.id = request.id
    return response
  }
}

extension PushSubscriber {
  /// What the owner is shown, without what would let others send to it.
  init(_ stored: PushSubscription) {
    self.init()
    (id, label, host) = (stored.id, stored.label, stored.receiver.endpoint.host)
    (made, lastOK, lastError) = (stored.made, stored.lastOK, stored.lastError)
  }
}

extension OperationError {
  static let noSubscription = OperationError(
    .notFound, "No browser with that id is notified by Web Push.", hint: "See: holdfast push list")
}
