import CLinux
import Observability
import Platform
import SecretMemory
import Signer

/// What the machine offers: a clock, randomness, memory that stays in RAM, room on the disk.
enum MachineChecks {
  static func all(home: Home) -> [Finding] { [clock(), entropy(), memoryLock(), swap(), process(), disk(home)] }

  static func clock(now: Int64 = Clock.seconds, isKept: Int32 = holdfast_clock_is_kept()) -> Finding {
    guard now >= Observation.earliestTime, now <= Observation.latestTime else {
      return .bad("clock", "This machine's clock is wrong.", advice: Problem.clockImplausible.hint)
    }
    switch isKept {
    case 1: return .good("clock", "The clock is plausible, and a time service keeps it right.")
    case 0:
      return .warning(
        "clock", "No time service (NTP) sets this machine's clock.",
        advice: "Requests are refused if the app's clock and this one differ by five minutes. Try: timedatectl set-ntp true")
    default: return .good("clock", "The clock is plausible. The system does not say whether a time service keeps it right.")
    }
  }

  private static func entropy() -> Finding {
    holdfast_random_is_ready() == 1
      ? .good("entropy", "The system has random bytes.")
      : .bad(
        "entropy", "The system has no random bytes yet.",
        advice:
          "Without random bytes, no safe key can be made yet. Let the machine run for a while, or give it a source of randomness."
      )
  }

  /// How much memory the signer needs to lock, in bytes. Each secret has a page; small ones share one.
  private static let enoughLockable: UInt64 = 8 << 20

  private static func memoryLock() -> Finding {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    guard (try? SecretBytes(randomCount: 32)) != nil,
      let memory = mmap(nil, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      memory != MAP_FAILED
    else {
      return .bad(
        "memory-lock", "There is no guarded memory left.", advice: "Free some memory, or raise the limit: ulimit -l")
    }
    defer { munmap(memory, page) }
    let limit = holdfast_lockable_bytes()
    guard mlock(memory, page) == 0 else {
      return .bad(
        "memory-lock", "Memory cannot be locked, so keys could be written to the swap space.",
        advice: "Raise the limit: ulimit -l 65536, or LimitMEMLOCK=64M in the unit.")
    }
    munlock(memory, page)
    let shown = limit >= UInt64(Int64.max) ? "no limit" : "\(limit / 1024) KiB"
    guard limit >= enoughLockable else {
      return .warning(
        "memory-lock", "Memory can be locked, but little of it (\(shown)).",
        advice: "With many apps it is not enough. Raise the limit: ulimit -l 65536, or LimitMEMLOCK=64M in the unit.")
    }
    return .good("memory-lock", "Keys can be kept out of the swap space (\(shown)).")
  }

  private static func swap() -> Finding {
    let lines = SmallFile.text("/proc/swaps").split(separator: "\n").dropFirst()
    guard !lines.isEmpty else { return .good("swap", "There is no swap space.") }
    return .warning(
      "swap", "There is swap space. Keys are kept out of it, but requests and answers may be written to it.",
      advice: "This is fine if the swap space or the whole disk is encrypted.")
  }

  private static func process() -> Finding {
    let isDumpable = holdfast_prctl(Int32(HOLDFAST_PR_GET_DUMPABLE), 0) != 0
    let mayGain = holdfast_prctl(Int32(HOLDFAST_PR_GET_NO_NEW_PRIVS), 0) != 1
    guard !isDumpable, !mayGain, holdfast_core_bytes() == 0 else {
      return .warning(
        "process", "The system refused to protect this program's memory completely.",
        advice: "Your other programs could read it. Check whether a container or a security module forbids prctl.")
    }
    return .good(
      "process", "The process writes no core file, hides its memory from your other programs, and can gain no privileges.")
  }

  static func disk(_ home: Home, free: Int64? = nil) -> Finding {
    guard let free = free ?? FileSystem.freeBytes(at: home.path) ?? FileSystem.freeBytes(at: "/") else {
      return .warning("disk", "The system does not say how much free space the disk has.", advice: "Check it yourself: df")
    }
    let shown = free >= 10 << 30 ? "\(free >> 30) GiB" : "\(free >> 20) MiB"
    guard free >= Observation.leastFreeDisk else {
      return .bad("disk", "The disk of the vault's folder has \(shown) free.", advice: Problem.diskNearlyFull.hint)
    }
    return .good("disk", "The disk of the vault's folder has \(shown) free.")
  }
}

/// Reads a file of the kernel, or another small one.
enum SmallFile {
  static func text(_ path: String, limit: Int = 65_536) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: limit)
    return String(decoding: bytes.prefix(max(0, read(file, &bytes, limit))), as: UTF8.self)
  }
}
