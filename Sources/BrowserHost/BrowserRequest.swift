package import JSON
import RemoteSigning

/// A message of the extension.
package enum BrowserRequest: Equatable {
  /// What a page asks for.
  case page(PageRequest)
  /// What the toolbar page shows.
  /// - Parameter origin: of the site that it is about; nil for none.
  case state(id: String, origin: String?)
  /// The owner locks the signer from the toolbar page.
  case lock(id: String)
  /// A page was closed: nobody waits for the answers to its requests.
  case closed(channel: String)

  /// A message that cannot be carried out.
  package struct Unreadable: Error, Equatable {
    /// Nil when it has none to answer to.
    package let id: String?

    package init(id: String?) { self.id = id }
  }

  /// The most bytes of an id and of a channel's name: letters, digits and `-`.
  package static let longestName = 64

  /// - Parameter message: at most 1 MiB, as the browser passed it on.
  package init(message: [UInt8]) throws(Unreadable) {
    guard let value = try? JSONValue(parsing: message), value.members != nil else { throw Unreadable(id: Self.id(in: message)) }
    if let channel = Self.name(value["closed"]) {
      self = .closed(channel: channel)
      return
    }
    guard let id = Self.name(value["id"]) else { throw Unreadable(id: nil) }
    switch value["method"]?.string {
    case "state": self = .state(id: id, origin: try Self.origin(of: value, id))
    case "lock": self = .lock(id: id)
    default:
      guard let request = PageRequest(value, id: id) else { throw Unreadable(id: id) }
      self = .page(request)
    }
  }

  private static func origin(of value: JSONValue, _ id: String) throws(Unreadable) -> String? {
    guard let origin = value["origin"], !origin.isNull else { return nil }
    guard let text = origin.string, WebOrigin(text) != nil else { throw Unreadable(id: id) }
    return text
  }

  fileprivate static func name(_ value: JSONValue?) -> String? {
    guard let text = value?.string, (1...longestName).contains(text.utf8.count), text.utf8.allSatisfy(isOfName) else {
      return nil
    }
    return text
  }

  /// The id of a message that cannot be read as JSON, so that it gets an answer all the same. Within a text, quotation marks are escaped, so
  /// that no page can write this. Nil if there is none, or more than one.
  private static func id(in message: [UInt8]) -> String? {
    let found = message.split(separator: Array(#""id":""#.utf8), maxSplits: 2)
    guard found.count == 2 else { return nil }
    return name(.string(String(decoding: found[1].prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)))
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "-")
  }
}

/// What a page asks for, by way of the extension.
package struct PageRequest: Equatable {
  /// The extension's id of the request.
  package let id: String
  /// The document that asks, as the extension counts them. A document has one origin.
  package let channel: String
  /// The page's origin, as the browser stated it to the extension.
  package let origin: String
  /// A method of the apps' socket.
  package let method: String
  /// An object.
  package let parameters: JSONValue

  /// The methods of the apps' socket that a page may use.
  package static let methods: Set = [
    "getPublicKey", "sign", "nip04Encrypt", "nip04Decrypt", "nip44Encrypt", "nip44Decrypt",
  ]

  fileprivate init?(_ value: JSONValue, id: String) {
    let parameters = value["params"] ?? .object([])
    guard let channel = BrowserRequest.name(value["channel"]), let origin = value["origin"]?.string, WebOrigin(origin) != nil,
      let method = value["method"]?.string, Self.methods.contains(method), parameters.members != nil
    else { return nil }
    (self.id, self.channel, self.origin, self.method, self.parameters) = (id, channel, origin, method, parameters)
  }

  /// The request as it goes over the apps' socket, with its line break.
  /// - Parameter extensionID: as the browser states it.
  package func line(for extensionID: String) -> [UInt8] {
    JSONValue.object([
      .init("v", 1), .init("id", .string(id)), .init("method", .string(method)), .init("params", parameters),
      .init("for", ["origin": .string(origin), "extension": .string(extensionID)]),
    ]).serialized() + [UInt8(ascii: "\n")]
  }
}
