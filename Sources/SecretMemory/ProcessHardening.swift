import CLinux
import Platform

/// Measures that keep other processes out of this one's memory.
public enum ProcessHardening {
  /// One measure that the kernel refused.
  public enum Refused: String, Sendable, CaseIterable { case coreDumps, dumpable, newPrivileges }

  /// No core file, no ptrace by the same user, no new privileges. Call first thing in `main`, before a secret is read and
  /// before a thread is started: the kernel keeps the ban on privileges for each thread, and a thread hands it to those it starts.
  ///
  /// The Swift runtime's crash report prints memory: it is turned off by `disableCrashReports`, which must come even earlier.
  /// - Returns: the measures that the kernel refused, usually none.
  public static func apply() -> [Refused] {
    var refused: [Refused] = []
    if holdfast_forbid_core_files() != 0 { refused.append(.coreDumps) }
    if holdfast_prctl(Int32(HOLDFAST_PR_SET_DUMPABLE), 0) != 0 { refused.append(.dumpable) }
    if holdfast_prctl(Int32(HOLDFAST_PR_SET_NO_NEW_PRIVS), 1) != 0 { refused.append(.newPrivileges) }
    return refused
  }

  /// Shows which program this process runs to processes of the same user, which `apply` hides: the signer answers only programs that it can
  /// see. They can then look into its memory, too; core files stay forbidden. For a process that holds no secret.
  public static func showProgram() { _ = holdfast_prctl(Int32(HOLDFAST_PR_SET_DUMPABLE), 1) }

  /// Makes a crash silent: the default action instead of the Swift runtime's report, which prints memory behind the registers.
  ///
  /// Works whatever `SWIFT_BACKTRACE` says, because it takes the signal handlers back.
  public static func disableCrashReports() {
    for signal in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV] {
      Platform.signal(signal, SIG_DFL)
    }
  }
}
