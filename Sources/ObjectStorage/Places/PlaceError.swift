/// Why a text is not a valid place for backups.
package enum PlaceError: Error, Equatable {
  /// Longer than `limit` bytes.
  case tooLong(limit: Int)
  /// Not a valid address, folder or bucket.
  case noAddress
  /// Plain http to another machine.
  case needsTLS
  /// The address contains a password.
  case passwordInAddress
  /// A folder must be an absolute path, because the daemon has another working folder.
  case notAbsolute
  /// A bucket's name has 3 to 63 of a-z, 0-9, `-` and `.`.
  case badBucket
  case badRegion
}
