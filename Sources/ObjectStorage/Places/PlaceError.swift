/// Why a text names no place for backups.
package enum PlaceError: Error, Equatable {
  /// Longer than `limit` bytes.
  case tooLong(limit: Int)
  /// No address, folder or bucket, or written wrongly.
  case noAddress
  /// Plain http, and not to this machine.
  case needsTLS
  /// A password stands in the address.
  case passwordInAddress
  /// A folder must be named from the root: the daemon has another working folder.
  case notAbsolute
  /// A bucket's name has 3 to 63 of a-z, 0-9, `-` and `.`.
  case badBucket
  case badRegion
}
