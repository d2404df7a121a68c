import JSON

/// An app's description of itself: untrusted text, cut to length and without control characters. For display only.
public struct ClientMetadata: Hashable, Sendable {
  /// The longest name kept, in bytes.
  public static let maximumNameLength = 64
  /// The longest address kept, in bytes.
  public static let maximumURLLength = 256

  /// The app's name, or nil.
  public let name: String?
  /// The app's web address, never fetched.
  public let url: String?
  /// The address of a picture, never fetched.
  public let image: String?

  /// Cuts and cleans a stranger's text.
  public init(name: String? = nil, url: String? = nil, image: String? = nil) {
    self.name = Self.clean(name, Self.maximumNameLength)
    self.url = Self.clean(url, Self.maximumURLLength)
    self.image = Self.clean(image, Self.maximumURLLength)
  }

  /// The metadata of a connect request's fourth parameter: JSON text `{name, url, image}`, anything else is nothing.
  init(json: [UInt8]) {
    let value = try? JSONValue(parsing: json)
    self.init(name: value?["name"]?.string, url: value?["url"]?.string, image: value?["image"]?.string)
  }

  private static func clean(_ text: String?, _ limit: Int) -> String? {
    let clean = ShownText.clean(text ?? "", limit: limit)
    return clean.unicodeScalars.contains { !$0.properties.isWhitespace && !$0.properties.isVariationSelector } ? clean : nil
  }
}
