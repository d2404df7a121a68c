/// Why the registrations cannot be opened, read or written. The file is never changed or deleted then.
package enum RegistrationsError: Error, Equatable, Sendable {
  /// What was done with the file.
  package enum Step: String, Sendable { case locking, making, opening, reading, writing, syncing }

  /// Another process has the folder; its id, or 0 when it is not known.
  case inUse(pid: Int32)
  /// The file belongs to another program, or somebody changed its tables.
  case notOurs
  /// The file is damaged.
  case damaged
  /// A later version of the proxy wrote the file.
  case newerVersion(found: UInt32)
  /// There is no memory for the database.
  case outOfMemory
  /// A system call failed at this step; `code` is its errno.
  case io(Step, code: Int32)

  /// There are none where they were to be copied from.
  case noRegistrations
  /// There are registrations where others were to be copied to.
  case notEmpty
  /// The PostgreSQL database does not do it.
  case database(PostgresFault)

  /// What a person can read.
  package var message: String {
    switch self {
    case .inUse(let pid): "Another push proxy\(pid > 0 ? " (process \(pid))" : "") uses the data folder."
    case .notOurs: "push.sqlite was not written by the push proxy. It was left as it is: choose another data folder."
    case .damaged: "push.sqlite is damaged. It was left as it is: restore a copy, or move it away and let devices register again."
    case .newerVersion(let found): "push.sqlite has format \(found), which a later version of the push proxy wrote."
    case .outOfMemory: "There is not enough memory to open push.sqlite."
    case .noRegistrations: "There is no push.sqlite to copy from. Nothing was changed."
    case .notEmpty: "There are registrations already in the place to copy to. Nothing was changed."
    case .database(let fault): fault.message
    case .io(let step, let code): "The system refused \(step.rawValue) push.sqlite (error \(code))."
    }
  }
}
