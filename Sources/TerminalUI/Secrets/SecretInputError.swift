/// Why no secret could be read.
public enum SecretInputError: Error, Equatable {
  /// There is no terminal to ask on.
  case noTerminal
  /// Nothing was given: no byte before the end or the line break.
  case empty
  case tooLong(limit: Int)
  /// The two entries of a new passphrase differ.
  case entriesDiffer
  case interrupted
  /// - Parameter code: errno.
  case notReadable(code: Int32)
  /// The number of the file descriptor is not one that is open for reading.
  case descriptorNotOpen
  case outOfMemory
}
