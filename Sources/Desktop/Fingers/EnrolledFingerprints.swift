import Platform

/// What the fingerprint service reports about one reader.
public struct FingerprintReader: Sendable, Equatable {
  /// Its name. Two readers of one model have the same.
  public let name: String
  /// In the service's spelling: `right-index-finger`.
  public let fingers: [String]

  /// A value as the service reports it.
  public init(name: String, fingers: [String]) { (self.name, self.fingers) = (name, fingers) }
}

/// Asks `net.reactivated.Fprint` on the system bus which fingers are enrolled for the account of this process. It does not enrol,
/// claim or verify anything.
///
/// See fprintd, "net.reactivated.Fprint.Manager" and ".Device".
public final class EnrolledFingerprints: Sendable {
  /// The most readers, and the most fingers of one reader.
  public static let maximumReaders = 16
  static let maximumFingers = 16
  /// For one call, in microseconds. The service may have to start first.
  static let callPatience: UInt64 = 1_500_000
  /// For everything, in milliseconds, whatever the bus and the service do.
  public static let longestLook = 3_000

  /// Why the enrolled fingers are unknown.
  public enum Fault: Error, Equatable {
    /// There is no bus, or no such service on it.
    case noService
    /// The service did not answer in time, or answered with an error.
    case noAnswer
    /// The answer is not plausible.
    case nonsense
  }

  private let isBusy = Locked(false)

  /// Does not ask yet.
  public init() {}

  /// Asks the service, one call at a time. Returns after at most twice `longestLook`. A call that hangs is abandoned, and further
  /// ones fail until it ends.
  public func look() -> Result<[FingerprintReader], Fault> {
    // The result of a call that began earlier is not used: it would miss later changes.
    guard isBusy.wait(milliseconds: Self.longestLook, until: { Self.take(&$0) }) != nil else { return .failure(.noAnswer) }
    let outcome = Locked<Result<[FingerprintReader], Fault>?>(nil)
    let isBusy = isBusy
    let isStarted = SystemThread.startDetached {
      let result: Result<[FingerprintReader], Fault>
      do throws(Fault) { result = .success(try Self.read()) } catch { result = .failure(error) }
      isBusy.change { $0 = false }
      outcome.change { $0 = result }
    }
    guard isStarted else {
      isBusy.change { $0 = false }
      return .failure(.noAnswer)
    }
    return outcome.wait(milliseconds: Self.longestLook, until: { $0 }) ?? .failure(.noAnswer)
  }

  private static func take(_ isBusy: inout Bool) -> Void? {
    guard !isBusy else { return nil }
    isBusy = true
    return ()
  }

  // The connection ends with the call, because the service keeps running as long as a caller is connected.
  private static func read() throws(Fault) -> [FingerprintReader] {
    let bus: SessionBus
    do { bus = try SessionBus(.system, patience: callPatience) } catch { throw .noService }
    let devices = try answer(bus, .fingerprints("/net/reactivated/Fprint/Manager", "Manager"), "GetDevices")
    guard let paths = devices.paths(limit: maximumReaders) else { throw .nonsense }
    var readers: [FingerprintReader] = []
    for path in paths {
      readers.append(FingerprintReader(name: try name(bus, path), fingers: try fingers(bus, path)))
    }
    return readers
  }

  private static func name(_ bus: SessionBus, _ path: String) throws(Fault) -> String {
    let properties = SessionBus.Party(name: SessionBus.Party.fprint, path: path, interface: "org.freedesktop.DBus.Properties")
    let reply = try answer(bus, properties, "Get") { $0.add("net.reactivated.Fprint.Device") && $0.add("name") }
    guard let name = reply.textInVariant() else { throw .nonsense }
    return name
  }

  // An empty name means the caller's account. No permission is requested beyond what every user has.
  private static func fingers(_ bus: SessionBus, _ path: String) throws(Fault) -> [String] {
    var refusal: String?
    let party = SessionBus.Party.fingerprints(path, "Device")
    do {
      let reply = try bus.call(party, "ListEnrolledFingers", refusal: &refusal) { $0.add("") }
      let fingers = reply.texts(limit: maximumFingers + 1)
      guard fingers.count <= maximumFingers else { throw Fault.nonsense }
      return fingers
    } catch let fault as Fault {
      throw fault
    } catch {
      guard refusal == "net.reactivated.Fprint.Error.NoEnrolledPrints" else { throw .noAnswer }
      return []
    }
  }

  private static func answer(
    _ bus: SessionBus, _ party: SessionBus.Party, _ member: String, _ fill: (BusMessage) -> Bool = { _ in true }
  ) throws(Fault) -> BusMessage {
    var refusal: String?
    do throws(BusError) { return try bus.call(party, member, refusal: &refusal, fill) } catch {
      let isMissing = refusal.map { noSuchService.contains($0) } ?? false
      throw isMissing ? .noService : .noAnswer
    }
  }

  private static let noSuchService = [
    "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
    "org.freedesktop.DBus.Error.FileNotFound", "org.freedesktop.DBus.Error.Spawn.ServiceNotFound",
    "org.freedesktop.systemd1.NoSuchUnit", "org.freedesktop.systemd1.UnitMasked",
  ]
}

extension SessionBus.Party {
  static let fprint = "net.reactivated.Fprint"

  static func fingerprints(_ path: String, _ interface: String) -> SessionBus.Party {
    SessionBus.Party(name: fprint, path: path, interface: fprint + "." + interface)
  }
}
