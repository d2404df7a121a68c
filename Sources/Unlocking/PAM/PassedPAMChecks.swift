import Platform

/// The PAM checks that were passed, for a program that runs one command and ends. Such a program asks once, although it opens the
/// vault and then shows the same slot again. Remembers nothing until `remember()` is called.
public final class PassedPAMChecks: Sendable {
  private struct State {
    var isRemembering = false
    var services: Set<String> = []
  }
  private let state = Locked(State())

  /// Remembers nothing yet.
  public init() {}

  /// Remembers passed checks from now on. Must not be used in a program that keeps running.
  public func remember() { state.withLock { $0.isRemembering = true } }

  /// Whether this is a program that runs one command.
  public var isRemembering: Bool { state.withLock { $0.isRemembering } }

  func has(_ service: String) -> Bool { state.withLock { $0.services.contains(service) } }

  func passed(_ service: String) {
    state.withLock { state in if state.isRemembering { state.services.insert(service) } }
  }
}
