/// Why a message to an Apple device cannot be made. No case contains a token or a key.
package enum APNsError: Error, Sendable, Hashable {
  /// A key's or team's identifier is not ten capital letters and digits.
  case notAnIdentifier
  /// A device token is not 32 to 100 bytes in hex.
  case notADeviceToken
  /// A topic is not a bundle identifier: letters, digits, `-` and `.`, at most 255.
  case notATopic
  /// The provider token could not be signed.
  case notSigned
  /// The payload has more than 4096 bytes.
  case tooLong
}
