import Curve
import Encodings
import OwnerAPI
import OwnerWords
import RemoteSigning
import Signer

/// Names of apps that an owner types in part: the beginning of a name, or of one of its words.
extension Operations {
  /// The shortest part of a name that names an app, in bytes.
  static let shortestPart = 3

  /// The apps whose name, or a word of it, begins like the text. Small and capital letters of ASCII are the same.
  func abbreviated(_ text: String) -> [Pairing] {
    guard text.utf8.count >= Self.shortestPart, !Self.mayBeOfKey(text) else { return [] }
    let part = Self.small(text)
    return home.engine.pairings.filter { pairing in
      let name = Self.small(AppName.shown(pairing.name, pairing.client.hex))
      return name.starts(with: part) || name.indices.contains { name[$0] == 0x20 && name[($0 + 1)...].starts(with: part) }
    }
  }

  /// The app that is meant by the beginning of its name; nil for none.
  /// - Throws: if several can be meant, with their names.
  func oneAbbreviated(_ text: String) throws(OperationError) -> Pairing? {
    let found = abbreviated(text)
    guard found.count > 1, let first = found.first else { return found.first }
    throw found.allSatisfy { $0.client == first.client }
      ? .failed(
        "\(found.count) pairings of \(Self.quotedName(first)) can be meant.",
        hint: "Give the app's “signer” from: holdfast client list --json")
      : .failed(
        "\(found.count) apps can be meant: \(found.map(Self.quotedName).sorted().prefix(Self.mostMeant).joined(separator: ", "))"
          + (found.count > Self.mostMeant ? ", …" : "."),
        hint: "Give more of the name, or digits of the key, from: holdfast client list")
  }

  /// The app that a command ends for good. The beginning of a name is not enough: the owner would not see whose pairing ends.
  func wholeNamed(_ request: AppRequest) throws -> Pairing {
    do { return try client(request, inPart: false) } catch {
      let fault = OperationError(error)
      guard fault.exit == .notFound, let meant = try oneAbbreviated(request.client) else { throw error }
      throw OperationError.notFound(
        "\(ShownText.quoted(request.client, limit: 100)) is only the beginning of an app's name. Nothing was revoked.",
        hint: "The whole name: \(ShownText.quoted(AppName.shown(meant.name, meant.client.hex), limit: 100)). "
          + "Give that, or digits of its key: holdfast client revoke \(meant.client.hex.prefix(Self.shownDigits))")
    }
  }

  /// Whether digits of a key were meant, perhaps of an app that is gone. Another app may call itself like them.
  private static func mayBeOfKey(_ text: String) -> Bool {
    text.utf8.allSatisfy(Hex.isDigit) && text.utf8.contains { (0x30...0x39).contains($0) }
  }

  /// How many apps are named that can be meant.
  private static let mostMeant = 5

  private static func quotedName(_ pairing: Pairing) -> String {
    ShownText.quoted(AppName.shown(pairing.name, pairing.client.hex), limit: 100)
  }

  /// The bytes of a text, with ASCII's capital letters small. Other letters have too many that look alike.
  static func small(_ text: String) -> [UInt8] { text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
}
