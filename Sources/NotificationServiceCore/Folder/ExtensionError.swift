/// The files that the app and its extension share.
public enum ExtensionFile: String, Sendable, CaseIterable {
  case state, journal, lock
}

/// Why what the app and its extension share cannot be used. No case carries any of a file's contents.
public enum ExtensionError: Error, Hashable, Sendable {
  /// The key that the host passed in has another length than `ExtensionKey.length`.
  case keyLength(Int)
  /// There is no such file.
  case notThere(ExtensionFile)
  /// The file could not be read or written. `code` is errno.
  case io(ExtensionFile, code: Int32)
  /// The file, or what is to be written, is longer than the limit, in bytes.
  case tooLong(ExtensionFile, limit: Int)
  /// The file is another program's, or a version's that this one does not know.
  case unknownForm(ExtensionFile)
  /// The file was changed, or is sealed with another key.
  case notAuthentic(ExtensionFile)
  /// The file is authentic, and what is in it cannot be read.
  case malformed(ExtensionFile)
  /// The state is older than the one that the journal was begun for: somebody put an old file back.
  case olderState
  /// The journal is not the one that the state was written with: somebody put an old file back, or the app was ended while it wrote both.
  case otherJournal
  /// The app has not taken back what it handed over before: entries of its journal would be lost.
  case notTakenBack
  /// The app or another wake has the files.
  case inUse
  /// No memory is left for a key.
  case outOfMemory
}
