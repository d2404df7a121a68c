import Platform

/// The mounts that a process sees, to tell files on disks from those that another program serves (FUSE, network): such a program may never
/// answer, and a thread that waits for it cannot even be ended.
package struct MountTable {
  private static let served = ["fuse", "nfs", "cifs", "smb", "9p", "afs", "ceph", "coda", "ncp", "davfs"]

  private let types: [UInt64: Substring]

  /// - Parameter folder: `/proc/PID`.
  init(of folder: String) { self.init(ProcessFacts.text(folder + "/mountinfo", limit: 4 << 20) ?? "") }

  /// - Parameter text: as the kernel writes it: `36 35 98:0 / /mnt rw - ext3 /dev/root rw`.
  package init(_ text: String) {
    types = text.split(separator: "\n").reduce(into: [:]) { types, line in
      let words = line.split(separator: " ")
      guard let id = words.first.flatMap({ UInt64($0) }), let dash = words.firstIndex(of: "-"), dash + 1 < words.count else {
        return
      }
      types[id] = words[dash + 1]
    }
  }

  /// False also for a mount that is not in the table.
  package func isOnDisk(_ mount: UInt64) -> Bool {
    types[mount].map { type in !Self.served.contains { type.hasPrefix($0) } } ?? false
  }
}
