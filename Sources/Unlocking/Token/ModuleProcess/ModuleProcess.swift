import CLinux
import Encodings
import Platform
import SecretMemory
import Vault

/// Runs drivers of tokens (PKCS#11 modules) in a process that holds no key. Drivers are third-party code that may crash, hang or
/// read memory.
public enum ModuleProcess {
  /// The first argument of such a process. The second is the id of the process that started it.
  static let argument = "token-module-process"
  /// The most memory of the process, in bytes.
  private static let memory: UInt = 1 << 30
  /// Its other limits: seconds of processor time, bytes of one file, open files.
  private static let limits: [(Int32, UInt)] = [
    (Int32(HOLDFAST_LIMIT_CPU), 600), (Int32(HOLDFAST_LIMIT_FILE_SIZE), 64 << 20), (Int32(HOLDFAST_LIMIT_OPEN_FILES), 256),
  ]
  /// The program to start as that process. Nil until it is set.
  private static let program = Locked<String?>(nil)

  /// Lets this program run its own drivers. If it was started as a driver process, it serves and exits. Otherwise it notes that
  /// it can, and continues.
  ///
  /// Call it first in `main`. Without it, no token is found.
  /// - Parameter arguments: the program's own name first.
  public static func serveIfAsked(_ arguments: [String]) {
    guard arguments.count == 3, arguments[1] == argument, let parent = pid_t(arguments[2]) else {
      return use(program: "/proc/self/exe")
    }
    exit(serve(parent) ? 0 : 1)
  }

  /// For tests, whose main program does not call `serveIfAsked`.
  package static func use(program path: String) { program.withLock { $0 = path } }

  private static func serve(_ parent: pid_t) -> Bool {
    ProcessHardening.disableCrashReports()
    // The signer already reported at its start what the kernel refuses.
    _ = ProcessHardening.apply()
    guard holdfast_prctl(Int32(HOLDFAST_PR_SET_PDEATHSIG), UInt(SIGKILL)) == 0, getppid() == parent else { return false }
    holdfast_drop_capabilities()
    holdfast_limit_more_memory(memory)
    for (limit, most) in limits { holdfast_lower_limit(limit, most) }
    var kind: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(TokenProtocol.socket, SOL_SOCKET, SO_TYPE, &kind, &length) == 0 else { return false }
    ModuleService(socket: TokenProtocol.socket).serve()
    return true
  }

  // MARK: the other side

  /// Ends all running drivers when the program stops. Their calls fail at once.
  public static func endAll() { DriverProcess.endAll() }

  /// Starts the program. It inherits only the socket and the driver's file, numbered as in `TokenProtocol`.
  static func spawn(socket: Int32, module: Int32?) throws(KeyStoreError) -> pid_t {
    guard let program = program.withLock({ $0 }) else { throw .notPresent("the program that runs drivers of tokens") }
    // Copies get higher numbers than all targets, so that none is overwritten before it is copied.
    let copies = ([socket] + (module.map { [$0] } ?? [])).map { fcntl($0, F_DUPFD_CLOEXEC, 16) }
    defer { for copy in copies where copy >= 0 { close(copy) } }
    guard copies.allSatisfy({ $0 >= 0 }) else { throw .deviceFailed("a socket for its driver", code: UInt64(errno)) }
    let words = ["holdfast", argument, String(getpid())]
    guard let process = start(program, words, DriverEnvironment.variables(), files: copies) else {
      throw .notPresent("the program that runs drivers of tokens")
    }
    return process
  }

  private static func start(
    _ program: String, _ words: [String], _ variables: [String], files: [Int32]
  ) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
    defer { posix_spawn_file_actions_destroy(&actions) }
    guard posix_spawnattr_init(&attributes) == 0 else { return nil }
    defer { posix_spawnattr_destroy(&attributes) }
    var status: Int32 = 0
    for descriptor in Int32(0)...2 {
      status |= posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
    }
    var next = TokenProtocol.socket
    for file in files {
      status |= posix_spawn_file_actions_adddup2(&actions, file, next)
      next += 1
    }
    status |= holdfast_close_from(&actions, next)
    status |= prepare(&attributes)
    guard status == 0 else { return nil }
    var (arguments, environment) = (words.map { strdup($0) } + [nil], variables.map { strdup($0) } + [nil])
    defer { for text in arguments + environment { free(text) } }
    var process: pid_t = 0
    return posix_spawn(&process, program, &actions, &attributes, &arguments, &environment) == 0 ? process : nil
  }

  /// A separate process group, so that children end with it. No signal is blocked or ignored.
  private static func prepare(_ attributes: inout posix_spawnattr_t) -> Int32 {
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    return posix_spawnattr_setsigmask(&attributes, &none) | posix_spawnattr_setsigdefault(&attributes, &all)
      | posix_spawnattr_setpgroup(&attributes, 0)
      | posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP))
  }
}
