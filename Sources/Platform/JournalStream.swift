/// The stream by which systemd's journal reads what a service writes.
package enum JournalStream {
  /// Whether a descriptor leads to the journal.
  /// - Parameter stream: the environment variable `JOURNAL_STREAM`, in which systemd names the journal's device and inode.
  package static func isBehind(_ descriptor: Int32, _ stream: String?) -> Bool {
    guard let parts = stream?.split(separator: ":"), parts.count == 2, let device = UInt64(parts[0]), let inode = UInt64(parts[1])
    else { return false }
    var status = stat()
    return fstat(descriptor, &status) == 0 && UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
  }
}
