import RemoteSigning
import Signer

/// The requests that were written in full and still wait, so that a line can say what became of each.
struct WrittenRequests {
  /// The most that are remembered. Of further ones no line says that they ended.
  static let most = 256

  struct Request {
    /// The request's whole name in commands.
    let id: String
    let title: String
    /// The app's name, as it is.
    let app: String
  }

  private var waiting: [String: Request] = [:]

  mutating func add(_ request: PendingRequest, title: String, app: String) {
    guard waiting.count < Self.most else { return }
    waiting[request.name] = Request(id: request.name, title: title, app: app)
  }

  /// - Returns: nil for one that was not written.
  mutating func remove(_ id: String) -> Request? { waiting.removeValue(forKey: id) }
}

/// What is said of the signer's lock.
enum LockNews {
  case unlocked, locked, lockedDown, unlockedInLockdown

  init(_ lock: SessionLock) {
    self =
      switch (lock.isSuspended, lock.isLocked) {
      case (true, true): .lockedDown
      case (true, false): .unlockedInLockdown
      case (false, true): .locked
      case (false, false): .unlocked
      }
  }

  var isLockdown: Bool { self == .lockedDown || self == .unlockedInLockdown }
}
