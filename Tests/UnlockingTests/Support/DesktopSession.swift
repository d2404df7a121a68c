import Foundation
import TestSupport
import Testing

@testable import Unlocking

/// A session bus of the test's own, with or without a gnome-keyring on it.
///
/// Programs find the bus by an environment variable: tests that use one do not run at the same time as others that do.
final class DesktopSession {
  let folder: Folder
  private let bus: Program
  private var keyring: Program?

  /// - Parameter folder: of an earlier session, so that its keyring is there again.
  init(_ folder: Folder? = nil) throws {
    self.folder = try folder ?? Folder()
    let socket = self.folder.file("bus")
    unlink(socket)
    // Without folders of services: nothing is started that the test did not start.
    try """
    <busconfig><type>session</type><listen>unix:path=\(socket)</listen><auth>EXTERNAL</auth><policy context="default">
    <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
    """.write(toFile: self.folder.file("bus.conf"), atomically: true, encoding: .utf8)
    bus = try Program("dbus-daemon", ["--nofork", "--config-file=" + self.folder.file("bus.conf")])
    // The file of the socket is there a moment before the bus listens on it.
    try #require(comesTrue { takesConnections(socket) }, "no bus")
    setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=" + socket, 1)
  }

  deinit {
    keyring?.stop(SIGKILL)
    bus.stop(SIGKILL)
    unsetenv("DBUS_SESSION_BUS_ADDRESS")
  }

  /// Starts the daemon and unlocks its keyring, which the first password makes.
  func startKeyring(password: String) throws {
    let home = try folder.make("home")
    let runtime = try folder.make("runtime")
    chmod(runtime, 0o700)
    keyring = try Program(
      "gnome-keyring-daemon", ["--foreground", "--unlock", "--components=secrets"],
      environment: ["HOME": home, "XDG_RUNTIME_DIR": runtime, "XDG_DATA_HOME": home + "/.local/share"], input: password)
    try #require(comesTrue { isOwned }, "no keyring")
  }

  func stopKeyring() {
    keyring?.stop(SIGKILL)
    keyring = nil
    _ = comesTrue { !isOwned }
  }

  func endBus() { bus.stop(SIGKILL) }

  private var isOwned: Bool {
    let asked = try? run(
      "dbus-send",
      [
        "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
        "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets",
      ], environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=" + folder.file("bus")])
    return asked?.output.contains("true") == true
  }

  /// What another program of the same user sees: everything, when the keyring is unlocked.
  func lookUp(_ item: String) throws -> (status: Int32, output: String) {
    try run(
      "secret-tool", ["lookup", "slot", item], environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=" + folder.file("bus")])
  }
}

/// Whether somebody listens on this socket of the file system.
private func takesConnections(_ path: String) -> Bool {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(descriptor) }
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
  } == 0
}
