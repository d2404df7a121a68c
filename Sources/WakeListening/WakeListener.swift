import CLinux
import Encodings
import Platform
package import Sockets
import WebPush

/// Receives pushes for a vault whose signer sleeps, and starts `holdfast-wake` for each.
///
/// It opens no vault and holds no key of an identity. One runs for a vault at a time.
package final class WakeListener: Sendable {
  private let lock: ProcessLock
  private let loop: EventLoop
  private let listener: Listener
  private let runner: WakeRunner
  private let thread: SystemThread

  /// Begins to receive.
  /// - Parameters:
  ///   - folder: of the vault.
  ///   - place: where to listen. The limit of bodies is set here.
  ///   - command: `holdfast-wake` with the options that name the vault.
  ///   - settled: called with the result of each attempt.
  package init(
    folder: String, at place: Listener.Options, command: [String], settled: @escaping @Sendable (WakeRun) -> Void
  ) throws(WakeListeningError) {
    lock = try .ofListener(in: folder)
    let keys = try WakeKeys.ofVault(folder)
    let spool = WakeSpool(folder: folder)
    let receiver = Locked<WakeReceiver?>(nil)
    let runner = WakeRunner(command, spool) { run in
      if run.isOver { receiver.withLock { $0 }?.ended(run) }
      settled(run)
    }
    let made = WakeReceiver(keys, spool, PushInbox.Limits()) { [runner] in runner.add($0) }
    receiver.withLock { $0 = made }
    made.resume(spool.leftovers(useful: WakeQueue.useful / 1_000, now: Clock.seconds))
    var place = place
    place.bodyBytes = 2 * PushDecryption.maximumBody
    do throws(SocketError) {
      loop = try EventLoop()
      loop.start()
      listener = try loop.listen(place, service: Service(http: { request, answer in answer(made.answer(request)) }))
    } catch { throw .network(error) }
    guard let thread = SystemThread.start({ runner.run() }) else {
      loop.stop()
      throw .noThread
    }
    (self.runner, self.thread) = (runner, thread)
  }

  /// The bound port; 0 for a Unix socket.
  package var port: UInt16 { listener.port }

  /// Milliseconds since the last wake ended, or since the start; nil while one runs or waits.
  package var idleTime: Int64? { runner.idleTime }

  /// Takes no further pushes, waits for the wake that runs, and ends. Not on the loop thread.
  package func stop() {
    listener.stopListening()
    runner.stop()
    thread.join()
    loop.stop()
  }
}
