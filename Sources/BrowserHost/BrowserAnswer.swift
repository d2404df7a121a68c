package import JSON

/// What goes back to the extension.
package enum BrowserAnswer {
  /// Why a request ended here, before the signer answered it.
  package enum Fault: Error {
    /// The signer does not run, or has ended.
    case unavailable
    case unreadable
    case tooMany
    case tooLarge

    /// A code of the apps' socket, or `unavailable`.
    package var code: String {
      switch self {
      case .unavailable: "unavailable"
      case .unreadable: "invalid"
      case .tooMany: "rate-limited"
      case .tooLarge: "too-large"
      }
    }

    /// For people.
    package var message: String {
      switch self {
      case .unavailable: "Holdfast does not run. Start it: holdfast up"
      case .unreadable: "The request cannot be read."
      case .tooMany: "Too many requests are under way. Ask again in a moment."
      case .tooLarge: "The answer is longer than 1 MiB, the most that a browser takes."
      }
    }
  }

  package static func result(_ result: JSONValue, to id: String) -> [UInt8] {
    JSONValue.object([.init("id", .string(id)), .init("result", result)]).serialized()
  }

  package static func error(_ fault: Fault, to id: String) -> [UInt8] {
    JSONValue.object([
      .init("id", .string(id)), .init("error", ["code": .string(fault.code), "message": .string(fault.message)]),
    ]).serialized()
  }

  /// The signer's line as a message, which it is, unless it is too long for a browser.
  package static func forwarded(_ line: [UInt8], to id: String) -> [UInt8] {
    line.count <= NativeMessaging.longestAnswer ? line : error(.tooLarge, to: id)
  }
}
