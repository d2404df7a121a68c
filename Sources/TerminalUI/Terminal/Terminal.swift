import Platform

/// What is known about the terminal behind a file descriptor.
public enum Terminal {
  /// Whether a person can read what is written to standard output.
  public static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }
  /// Whether a person types what is read from standard input.
  public static var isInput: Bool { isatty(STDIN_FILENO) == 1 }
  /// Whether a person can read what is written to standard error.
  public static var isError: Bool { isatty(STDERR_FILENO) == 1 }
  /// Whether colours are wanted: a terminal that has them, and no `NO_COLOR` in the environment.
  public static var hasColors: Bool { isOutput && environment("NO_COLOR") == nil && environment("TERM") != "dumb" }

  /// Width in columns, 80 when it is not known.
  public static func columns(_ descriptor: Int32 = 1) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Width in columns of the terminal that standard output is; nil if it is none.
  public static var width: Int? { isOutput ? columns() : nil }

  /// Height in lines, 24 when it is not known.
  public static func rows(_ descriptor: Int32 = 1) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
    return Int(size.ws_row)
  }

  /// The value of an environment variable; nil when it is not set or empty.
  public static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
