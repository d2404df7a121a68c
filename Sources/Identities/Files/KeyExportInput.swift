/// Reads a stranger's bytes by every way that leads into the files of keys, for the fuzzer. Must not trap; gives nothing away.
package enum KeyExportInput {
  /// - Parameter bytes: a file as it came, and the contents of one whose password was right; each tried as every form there is.
  ///   Nothing is opened that takes a password.
  package static func read(_ bytes: UnsafeRawBufferPointer) {
    if let form = KeyText.form(of: bytes), form.isFile { take(bytes, form) }
    for form in [KeyForm.keyFile, .keep, .amber, .nos2xFox, .nsecBunker] { take(bytes, form) }
    do { _ = try KeyFile.key(inside: bytes) } catch { ignore() }
    _ = try? KeepBackup.entries(in: bytes)
  }

  /// - Returns: for an encrypted key file that was taken, its text written again; nil for what is refused.
  package static func rewritten(keyFile bytes: UnsafeRawBufferPointer) -> [UInt8]? { (try? KeyFile(parsing: bytes))?.text }

  private static func take(_ bytes: UnsafeRawBufferPointer, _ form: KeyForm) {
    for pick in [nil, "1", "2"] {
      do { _ = try KeyExport(bytes, form).key(ImportHelp(pick: pick)) } catch { ignore() }
    }
  }

  // A key cannot be had by `try?`, since it is not copied.
  private static func ignore() {}
}
