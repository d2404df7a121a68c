import Encodings

/// The address of one app on one device, as Apple gave it to the app. Whoever knows it and has the app's key can send to it, so it is not
/// shown.
package struct DeviceToken: Sendable, Hashable {
  /// The lengths in bytes. Apple says that the length may change; today it is 32.
  package static let lengths = 32...100

  /// The token in lower-case hex.
  package let hex: String

  /// - Parameter text: hex, possibly from a stranger.
  /// - Throws: `.notADeviceToken`.
  package init(parsing text: String) throws(APNsError) {
    let digits = text.utf8
    guard digits.count <= 2 * Self.lengths.upperBound, let bytes = Hex.decode(text), Self.lengths.contains(bytes.count) else {
      throw .notADeviceToken
    }
    hex = Hex.encode(bytes)
  }
}
