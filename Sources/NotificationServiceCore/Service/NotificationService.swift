import Encodings
public import Platform
public import RemoteSigning

/// The path of a request in an iPhone's notification service extension: a push in, an answer at the relay, the notification's words out.
///
/// The engine is that of the daemon: id and signature, freshness, replays, pairing and rules are checked in the same order and by the same code
/// (NIP-46). A request is recorded on the disk before it is answered. What the rules do not allow at once waits for the owner; nothing here can
/// approve it.
///
/// Needs no system libraries but those for curve, hashes and locked memory.
public final class NotificationService: Sendable {
  /// How long a wake may take in all, in milliseconds, unless told otherwise. Apple gives an extension thirty seconds.
  public static let longestWake = 25_000

  private let folder: ExtensionFolder
  private let key: ExtensionKey
  private let transport: any NotificationTransport
  private let seconds: @Sendable () -> Int64

  /// Opens nothing yet.
  /// - Parameters:
  ///   - folder: that the app handed its state over in.
  ///   - key: of the files in it.
  ///   - now: the time of day, seconds since 1970.
  public init(
    _ folder: ExtensionFolder, key: ExtensionKey, transport: any NotificationTransport,
    now: @escaping @Sendable () -> Int64 = { Clock.seconds }
  ) {
    (self.folder, self.key, self.transport, seconds) = (folder, key, transport, now)
  }

  /// Answers the request that a push names. Waits on the calling thread until that is done; not the main one, then.
  ///
  /// The files are opened anew each time, and locked meanwhile: another wake, or the app, waits or is waited for.
  /// - Parameters:
  ///   - payload: the push's `userInfo` as JSON. A stranger's bytes.
  ///   - milliseconds: how long it may take. It ends then, with what became of the request so far.
  public func handle(payload: [UInt8], milliseconds: Int = longestWake) -> NotificationOutcome {
    do throws(PushPayloadError) { return handle(try PushPayload(parsing: payload), milliseconds: milliseconds) } catch {
      // Anybody who knows the push address can send one.
      return NotificationOutcome(.failed, fault: .payload(error))
    }
  }

  /// The same for a payload that was read.
  public func handle(_ push: PushPayload, milliseconds: Int = longestWake) -> NotificationOutcome {
    let deadline = Clock.monotonicMilliseconds + Int64(min(max(0, milliseconds), Self.longestWake))
    do throws(ExtensionError) {
      // At most half of the time goes into waiting for the lock. The rest is for the request.
      let lock = try folder.lock(milliseconds: milliseconds / 2)
      return try withExtendedLifetime(lock) { () throws(ExtensionError) in try handle(push, deadline: deadline) }
    } catch { return .failed(.files(error)) }
  }

  private func handle(_ push: PushPayload, deadline: Int64) throws(ExtensionError) -> NotificationOutcome {
    let (state, id) = try ExtensionState.read(folder, key)
    let journal = try ExtensionJournal(folder, key, for: state, id: id)
    return Wake(state, journal, transport, deadline: deadline, now: seconds()).answer(push)
  }
}
