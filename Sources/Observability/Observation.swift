package import Relays
package import Signer
import Sockets

/// The state of the signer at one moment, as `/healthz`, `/metrics` and `status` report it.
package struct Observation: Sendable {
  /// A relay outside this signer.
  package struct Relay: Sendable {
    package let health: RelayHealth
    /// Named by the owner with `--relay`, not by an app's link.
    package let isOwners: Bool

    package init(health: RelayHealth, isOwners: Bool) { (self.health, self.isOwners) = (health, isOwners) }
  }

  /// Clients of the embedded relay.
  package struct Embedded: Sendable {
    package let connections, subscriptions, kept: Int
    /// The most connections that it accepts.
    package let limit: Int

    package init(connections: Int, subscriptions: Int, kept: Int, limit: Int = RelayLimits().connections) {
      (self.connections, self.subscriptions, self.kept, self.limit) = (connections, subscriptions, kept, limit)
    }
  }

  /// The port's connections, and how many were closed or refused because all places were taken.
  package struct Connections: Sendable {
    package var open: Int
    /// The most connections that the port accepts.
    package var limit: Int
    /// Closed to make room for others, since the start.
    package var pushedOut: Int
    /// Refused because no place was free.
    package var refused: Int
    /// Closed because too many bytes of unfinished messages were held.
    package var unfinished: Int
    /// When one of these last happened, in milliseconds of the monotonic clock.
    package var lastShortage: Int64?

    package init(
      open: Int = 0, limit: Int = SocketLimits.connections, pushedOut: Int = 0, refused: Int = 0, unfinished: Int = 0,
      lastShortage: Int64? = nil
    ) {
      (self.open, self.limit, self.pushedOut, self.refused) = (open, limit, pushedOut, refused)
      (self.unfinished, self.lastShortage) = (unfinished, lastShortage)
    }
  }

  package var counters: Counters
  package var relays: [Relay]
  package var embedded: Embedded?
  package var connections = Connections()
  /// Milliseconds of the monotonic clock.
  package var monotonic: Int64 = 0
  package var identities: Int
  package var pairings: Int
  package var links: Int
  /// Requests that wait for the owner.
  package var waiting: Int
  /// Events and requests that wait for a worker.
  package var queued: Int
  package var logEntries: UInt64
  package var logBytes: Int64
  /// Free for the owner on the disk of the vault's folder. Nil if the system does not report it.
  package var freeDiskBytes: Int64?
  package var memoryKiB: Int64
  /// Seconds.
  package var uptime: Int64
  package var isLocked: Bool
  package var isSuspended: Bool
  /// Seconds since 1970.
  package var now: Int64
  /// Failures of planned backups since the last one that succeeded.
  package var backupFailures: Int64 = 0
  /// Whether they failed so often that the owner is told.
  package var isBackupFailing = false
  /// When the last planned backup succeeded, seconds since 1970. Nil if there was none.
  package var lastBackup: Int64?
  /// Whether the vault is damaged and only its intact part is viewed.
  package var isVaultDamaged = false
  /// Whether the log's checkpoint could not be written the last time.
  package var isCheckpointFailing = false
  /// Whether old content of the log could not be dropped the last time.
  package var isRetentionFailing = false
  /// Whether the log's head could not be written the last time.
  package var isLogHeadFailing = false
}

extension Observation {
  /// If less than this is free, in bytes, the disk counts as nearly full. It is enough for some hundred thousand log entries.
  package static let leastFreeDisk: Int64 = 64 << 20
  /// How long a shortage of connections is reported, in milliseconds.
  static let shortageTold: Int64 = 5 * 60_000
  /// A time before this version was made, in seconds since 1970 (2025-01-01).
  package static let earliestTime: Int64 = 1_735_689_600
  /// 2100-01-01.
  package static let latestTime: Int64 = 4_102_444_800
  /// How long refused requests count as a problem, in seconds.
  static let recently: Int64 = 60
  /// How long relays may take to be reached after the start, in seconds.
  static let timeToConnect: Int64 = 20

  /// What is wrong now; usually nothing. A locked signer counts as a problem even if the owner locked it, because it cannot sign.
  package var problems: [Problem] {
    Problem.allCases.filter { problem in
      switch problem {
      case .locked: isLocked
      case .suspended: isSuspended
      case .vaultDamaged: isVaultDamaged
      case .noRelay: lacksRelay
      case .relayFull: embedded.map { $0.connections >= $0.limit } ?? false
      case .tooManyRequests: counters.lastTooMany.map { (0..<Self.recently).contains(now - $0) } ?? false
      case .connectionsShort: connections.lastShortage.map { monotonic - $0 < Self.shortageTold } ?? false
      case .notRecording: counters.isUnrecordable
      case .diskNearlyFull: freeDiskBytes.map { $0 < Self.leastFreeDisk } ?? false
      case .backupFailing: isBackupFailing
      case .checkpointFailing: isCheckpointFailing
      case .retentionFailing: isRetentionFailing
      case .logHeadFailing: isLogHeadFailing
      case .clockImplausible: now < Self.earliestTime || now > Self.latestTime
      }
    }
  }

  // The embedded relay serves apps on this machine. But an owner who named relays wants to be reached by them.
  private var lacksRelay: Bool {
    let needed = embedded == nil ? relays : relays.filter(\.isOwners)
    guard uptime >= Self.timeToConnect, embedded == nil || !needed.isEmpty else { return false }
    return !needed.contains { $0.health.state == .connected }
  }
}
