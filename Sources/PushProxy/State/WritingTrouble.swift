import Platform

/// Whether the last write to `push.sqlite` failed, and what the operator was told of it. Says a line at once and one when it works again, and no
/// more than one failure a minute. Only a trial of `Registrations.tryAgain` counts as a success: a change of nothing writes nothing.
final class WritingTrouble: Sendable {
  private struct State {
    var reason: String?
    /// Whether the operator was told that writes fail.
    var isTold = false
    /// When a failure may be told again, in milliseconds of a clock that never goes back.
    var next: Int64 = .min
    var remark: @Sendable (Remark) -> Void = { _ in }
  }

  /// The time between two failures that are told, in milliseconds.
  static let pause: Int64 = 60_000

  private let state = Locked(State())

  /// From now on lines go to the operator.
  func tell(_ remark: @escaping @Sendable (Remark) -> Void) { state.withLock { $0.remark = remark } }

  /// Why nothing can be written; nil while all is well.
  var reason: String? { state.withLock { $0.reason } }

  /// Notes that a write failed.
  func failed(_ error: RegistrationsError, now: Int64 = Clock.bootMilliseconds) {
    let reason = error.reasonNotToWrite
    let remark = state.withLock { state -> (@Sendable (Remark) -> Void)? in
      state.reason = reason
      guard !state.isTold, now >= state.next else { return nil }
      (state.isTold, state.next) = (true, now + Self.pause)
      return state.remark
    }
    remark?(
      .trouble(
        """
        \(reason). Signers cannot register until it can be written again, which is tried every 10 seconds. Devices are woken all the same.
        """))
  }

  /// Notes that a trial was written.
  func passed() {
    let remark = state.withLock { state -> (@Sendable (Remark) -> Void)? in
      defer { (state.reason, state.isTold) = (nil, false) }
      return state.isTold ? state.remark : nil
    }
    remark?(.news("push.sqlite can be written again."))
  }
}

extension RegistrationsError {
  /// In words, without a full stop.
  fileprivate var reasonNotToWrite: String {
    switch self {
    case .io(_, code: ENOSPC), .io(_, code: EDQUOT): "The disk of push.sqlite is full"
    case .io(_, let code): "push.sqlite cannot be written: \(String(cString: strerror(code)))"
    case .damaged: "push.sqlite cannot be written, because it is damaged"
    case .inUse: "push.sqlite cannot be written, because another program holds it"
    case .outOfMemory: "push.sqlite cannot be written, because there is not enough memory"
    default: "push.sqlite cannot be written"
    }
  }
}

extension Registrations {
  /// Makes a change with the writer. A change that fails counts as a failure of the store.
  func written<Value>(
    _ body: (inout RegistrationsWriter) throws(RegistrationsError) -> Value
  ) throws(RegistrationsError) -> Value {
    do throws(RegistrationsError) {
      return try writer.withLock { writer throws(RegistrationsError) in try body(&writer) }
    } catch {
      trouble.failed(error)
      throw error
    }
  }

  package func tryAgain() {
    guard trouble.reason != nil, (try? written { writer throws(RegistrationsError) in try writer.database.tryWriting() }) != nil
    else { return }
    trouble.passed()
  }
}

extension RegistrationsConnection {
  /// Writes some pages that hold no registration, and takes them back. What an earlier trial may have left is replaced.
  fileprivate func tryWriting() throws(RegistrationsError) {
    _ = try transaction { () throws(RegistrationsError) in
      try write(
        """
        INSERT OR REPLACE INTO claims (request, signer, relay, expires, is_over) VALUES (zeroblob(32), zeroblob(32), hex(zeroblob(8192)), 0, 1)
        """)
    }
    _ = try transaction { () throws(RegistrationsError) in try write("DELETE FROM claims WHERE request = zeroblob(32)") }
  }
}
