import Sockets

/// The program that started another one, held from the time when that one connected: a program that becomes another one afterwards does not
/// take over what that one may do.
struct HeldStarter: Sendable {
  /// Stands for a file that cannot be told.
  static let unknown = "unknown"

  private let process: PeerProcess
  private let state: ExecutableState

  /// - Returns: nil when it has ended, or hides its file.
  init?(of process: PeerProcess) {
    guard let starter = ProcessFacts.starter(of: process), let state = ExecutableState(of: starter) else { return nil }
    (self.process, self.state) = (starter, state)
  }

  /// Its file, as the kernel names it.
  var file: String { state.path }

  /// Whether it is alive and still the same file.
  var isAsItWas: Bool { ExecutableState(of: process) == state && process.isAlive }
}
