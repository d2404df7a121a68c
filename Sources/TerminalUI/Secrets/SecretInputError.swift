/// Why no secret could be read.
public indirect enum SecretInputError: Error, Equatable {
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
  /// What is wrong with the secret in a file.
  /// - Parameter path: as it was named.
  case inFile(path: String, SecretInputError)
}
