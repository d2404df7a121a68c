import Platform

/// The socket on which the daemon listens for the owner: `control.sock` in the vault's folder, mode 0600 in a folder of mode
/// 0700.
public enum ControlSocket {
  /// The socket's file name.
  public static let name = "control.sock"
  /// The socket of the vault in `home`.
  public static func path(home: String) -> String { home + "/" + name }

  /// Lends a path to the socket that fits a socket address, however deep the folder is.
  ///
  /// A path that is too long is replaced by one through an open descriptor of the folder, valid for the length of the call.
  public static func withShortPath<R>(home: String, _ body: (String) -> R) -> R {
    let whole = path(home: home)
    guard whole.utf8.count > UnixSocketAddress.longestPath else { return body(whole) }
    let folder = open(home, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return body(whole) }
    defer { close(folder) }
    return body("/proc/self/fd/\(folder)/\(name)")
  }
}
