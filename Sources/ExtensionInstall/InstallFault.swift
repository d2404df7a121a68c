/// Why the extension was not installed or removed.
package enum InstallFault: Error, Equatable {
  /// Somebody else wrote the file, or changed it.
  case notOurs(path: String)
  /// The folder is another user's.
  case othersFolder(path: String)
  case system(path: String, code: Int32)
}
