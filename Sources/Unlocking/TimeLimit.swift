import Platform
import Vault

/// Runs code that may hang (a driver, a daemon that does not answer) on a separate thread, one call at a time.
///
/// A call that exceeds its limit is abandoned: a library without a way to cancel cannot be interrupted. Until that call returns,
/// later calls are refused when their own limit is over.
struct TimeLimit: Sendable {
  /// Whether a call is running.
  private let busy = Locked(false)
  /// Extra time for a library that was told to give up, in milliseconds.
  private static let grace = 1000
  /// Named in the error.
  private let what: StaticString

  init(_ what: StaticString) { self.what = what }

  /// - Parameters:
  ///   - milliseconds: for waiting for an earlier call, and again for this one.
  ///   - whenOver: tells the library to give up. It then has one more second.
  /// - Throws: the error of `body`, or `.deviceFailed` with code 0 when there was no answer in time.
  func run<Result: Sendable>(
    milliseconds: Int, whenOver: @Sendable () -> Void = {}, _ body: @escaping @Sendable () throws(KeyStoreError) -> Result
  ) throws(KeyStoreError) -> Result {
    guard busy.wait(milliseconds: milliseconds, until: { $0 ? nil : Self.take(&$0) }) != nil else {
      throw .deviceFailed("an earlier call that does not end", code: 0)
    }
    let outcome = Locked<Swift.Result<Result, KeyStoreError>?>(nil)
    let busy = busy
    let thread = SystemThread.start {
      let result: Swift.Result<Result, KeyStoreError>
      do throws(KeyStoreError) { result = .success(try body()) } catch { result = .failure(error) }
      outcome.change { $0 = result }
      busy.change { $0 = false }
    }
    guard let thread else {
      busy.change { $0 = false }
      throw .deviceFailed("starting a thread", code: 0)
    }
    guard let result = outcome.wait(milliseconds: milliseconds, until: { $0 }) ?? late(outcome, whenOver) else {
      thread.detach()
      throw .deviceFailed(what, code: 0)
    }
    thread.join()
    return try result.get()
  }

  private func late<Result>(_ outcome: Locked<Result?>, _ whenOver: @Sendable () -> Void) -> Result? {
    whenOver()
    return outcome.wait(milliseconds: Self.grace) { $0 }
  }

  private static func take(_ busy: inout Bool) -> Void? {
    busy = true
    return ()
  }
}
