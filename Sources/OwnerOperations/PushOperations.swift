internal import Encodings
internal import JSON
internal import Notifications
internal import OwnerAPI
internal import Platform
internal import RemoteSigning
internal import WebPush

/// Web Push: which browsers and phones are told.
extension Operations {
  func pushKey(_ given: Parameters) throws -> JSONValue {
    let key = try services.pushes.key(contact: "")
    return .object([.init("key", .string(key.publicKey))])
  }

  func subscribePush(_ given: Parameters) throws -> JSONValue {
    let receiver = try receiver(given)
    let label = ShownText.clean(try given.optionalText("label") ?? "", limit: PushSubscription.longestLabel)
    let made = try services.pushes.subscribe(receiver, label: label.isEmpty ? receiver.endpoint.host : label, now: Clock.seconds)
    return .object([.init("id", .string(made.id))])
  }

  private func receiver(_ given: Parameters) throws -> PushReceiver {
    let text = try given.text("endpoint")
    guard let key = Base64URL.decode(try given.text("p256dh")), let auth = Base64URL.decode(try given.text("auth")) else {
      throw OperationError.usage("“p256dh” and “auth” must be base64url without padding.")
    }
    do throws(WebPushError) { return try PushReceiver(endpoint: PushEndpoint(parsing: text), key: key, auth: auth) } catch {
      switch error {
      case .endpointNotHTTPS: throw OperationError.usage("A push service's address begins with https://.")
      case .endpointTooLong(let limit): throw OperationError.usage("A push service's address has at most \(limit) bytes.")
      case .endpointMalformed: throw OperationError.usage("This is no address of a push service.")
      case .authNot16Bytes: throw OperationError.usage("“auth” must be 16 bytes.")
      default: throw OperationError.usage("“p256dh” is no point of P-256.")
      }
    }
  }

  func listPushes() -> JSONValue { .object([.init("subscriptions", .array(services.pushes.all.map(\.shown)))]) }

  func removePush(_ given: Parameters) throws -> JSONValue {
    let id = try given.text("id")
    let isGone = try services.pushes.remove(id, reason: .by(given.channel))
    guard isGone else { throw OperationError.noSubscription }
    running?.pushes?.forget(id)
    return .object([.init("id", .string(id)), .init("removed", .bool(true))])
  }

  func testPush(_ given: Parameters) throws -> JSONValue {
    guard let running, let pushes = running.pushes else { throw OperationError.needsDaemon }
    let id = try given.text("id")
    guard services.pushes.subscription(id) != nil else { throw OperationError.noSubscription }
    pushes.test(id)
    return .object([.init("id", .string(id)), .init("sent", .bool(true))])
  }
}

extension OperationError {
  static let noSubscription = OperationError(
    .notFound, "No browser of that id is told by Web Push.", hint: "See: holdfast push list")
}
