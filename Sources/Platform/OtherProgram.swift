/// Programs of the machine that are started by their name.
public enum OtherProgram {
  /// The most bytes that are kept of what a program prints.
  private static let longestOutput = 4_096

  /// Where the standard streams of a program lead.
  private enum Streams {
    /// Where ours lead; its errors are dropped.
    case shared
    /// It has nothing to read or write, and a session of its own, as a window has.
    case none
    /// It prints to this descriptor, and its errors are dropped.
    case printing(Int32)
  }

  /// Runs a program to its end. No signal is blocked or ignored in it.
  /// - Parameters:
  ///   - words: the program, which is looked for in `PATH`, and its arguments. Every user of the machine can read them while it runs.
  ///   - isDetached: whether it gets a session of its own and nothing to read or write, as a window has. Otherwise it shares the
  ///     terminal, except that its errors are dropped.
  /// - Returns: how it ended, as `waitpid` says; nil when it could not be started, with the reason in `errno`.
  public static func run(_ words: [String], isDetached: Bool) -> Int32? {
    start(words, isDetached ? .none : .shared).map(end)
  }

  /// The same, with what it prints: at most 4 KiB of text, in one line with single spaces. Its errors are dropped.
  /// - Parameter milliseconds: how long it may run; then it is killed. Nil for no limit.
  public static func printed(_ words: [String], within milliseconds: Int? = nil) -> (end: Int32, text: String)? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    defer { close(ends[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let process = start(words, .printing(ends[1]))
    let code = errno
    close(ends[1])
    guard let process else {
      errno = code
      return nil
    }
    let deadline = milliseconds.map { Clock.monotonicMilliseconds + Int64($0) }
    let text = String(decoding: read(ends[0], until: deadline) { kill(process, SIGKILL) }, as: UTF8.self)
    return (end(process), text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
  }

  /// Whether a program of that name is in `PATH`.
  public static func isThere(_ name: String) -> Bool {
    let folders = getenv("PATH").map { String(cString: $0) } ?? ""
    return folders.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
  }

  /// - Returns: nil when it could not be started, with the reason in `errno`.
  private static func start(_ words: [String], _ streams: Streams) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    guard posix_spawn_file_actions_init(&actions) == 0, posix_spawnattr_init(&attributes) == 0 else { return nil }
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    guard prepare(&attributes, &actions, streams) == 0, let program = words.first else { return nil }
    var arguments = words.map { strdup($0) } + [nil]
    defer { for text in arguments { free(text) } }
    var process = pid_t()
    errno = posix_spawnp(&process, program, &actions, &attributes, &arguments, environ)
    return errno == 0 ? process : nil
  }

  private static func end(_ process: pid_t) -> Int32 {
    var end: Int32 = 0
    while waitpid(process, &end, 0) < 0, errno == EINTR {}
    return end
  }

  /// All is read, so that the program is not held up; the beginning is kept.
  /// - Parameters:
  ///   - deadline: of `Clock.monotonicMilliseconds`; nil for none.
  ///   - late: called when it passes. Nothing is read after it.
  private static func read(_ descriptor: Int32, until deadline: Int64?, _ late: () -> Void) -> [UInt8] {
    var (all, space) = ([UInt8](), [UInt8](repeating: 0, count: longestOutput))
    while true {
      if let deadline, !hasMore(descriptor, until: deadline) {
        late()
        return Array(all.prefix(longestOutput))
      }
      let count = Platform.read(descriptor, &space, space.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return Array(all.prefix(longestOutput)) }
      if all.count < longestOutput { all += space[..<count] }
    }
  }

  /// Waits until there is something to read, or the end.
  private static func hasMore(_ descriptor: Int32, until deadline: Int64) -> Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let left = deadline - Clock.monotonicMilliseconds
      guard left > 0 else { return false }
      if poll(&wanted, 1, Int32(clamping: left)) > 0 { return true }
    }
  }

  private static func prepare(
    _ attributes: inout posix_spawnattr_t, _ actions: inout posix_spawn_file_actions_t, _ streams: Streams
  ) -> Int32 {
    var (none, all, flags, status) = (
      sigset_t(), sigset_t(), Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF), Int32(0)
    )
    sigemptyset(&none)
    sigfillset(&all)
    switch streams {
    case .shared: status |= posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    case .none:
      flags |= 0x80  // POSIX_SPAWN_SETSID, which is hidden without _GNU_SOURCE
      for descriptor in Int32(0)...2 {
        status |= posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
      }
    case .printing(let descriptor):
      status |= posix_spawn_file_actions_adddup2(&actions, descriptor, STDOUT_FILENO)
      status |= posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }
    return status | posix_spawnattr_setsigmask(&attributes, &none) | posix_spawnattr_setsigdefault(&attributes, &all)
      | posix_spawnattr_setflags(&attributes, flags)
  }
}
