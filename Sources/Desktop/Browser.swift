import Platform

/// Opens our own addresses in the owner's browser.
///
/// For a moment, the address is an argument of another program, where every user of the machine can read it. Give it a link that works
/// only for the user who runs this.
public enum Browser {
  /// Browsers that show an address in a window without tabs and address bar.
  private static let withAppWindows = ["chromium", "chromium-browser", "google-chrome", "brave-browser"]

  /// Opens an address with `xdg-open`, on desktops without a portal that does so. Does not wait.
  static func open(_ address: String) { start(["xdg-open", address]) }

  /// Opens an address in a window of its own if a browser can do that, else as the desktop opens addresses. Does not wait.
  public static func openWindow(_ address: String) {
    // A service of systemd is confined, and so would be a browser that it starts. The desktop starts one that is not.
    if isService, let bus = try? SessionBus(), bus.open(address) { return }
    guard let browser = withAppWindows.first(where: OtherProgram.isThere) else { return open(address) }
    start([browser, "--app=\(address)"])
  }

  /// Asks the desktop to open an address. It is no argument of a program, which every user of the machine could read.
  /// - Returns: false when no desktop service does that.
  public static func openByPortal(_ address: String) -> Bool { (try? SessionBus())?.open(address) ?? false }

  private static var isService: Bool { getenv("SYSTEMD_EXEC_PID").map { String(cString: $0) } == "\(getpid())" }

  private static func start(_ words: [String]) {
    // Uses its own thread: the program may run until the browser is closed, and its exit must be awaited.
    _ = SystemThread.startDetached { _ = OtherProgram.run(words, isDetached: true) }
  }
}
