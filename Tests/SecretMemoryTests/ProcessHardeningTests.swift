import Foundation
import SecretMemory
import Testing

/// In processes of their own: what is hardened stays so.
@Suite struct ProcessHardeningTests {
  @Test("Every hardening measure is applied") func everyMeasureIsTaken() async {
    await #expect(processExitsWith: .success) {
      guard ProcessHardening.apply().isEmpty else { exit(1) }
      let status = (try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)) ?? ""
      guard status.contains("NoNewPrivs:\t1") else { exit(2) }
      let limits = (try? String(contentsOfFile: "/proc/self/limits", encoding: .utf8)) ?? ""
      let cores = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }?.split(separator: " ")
      guard let cores, cores[4] == "0", cores[5] == "0" else { exit(3) }
      // A process that may not be dumped belongs to root in /proc, and only root may look into its memory.
      var file = stat()
      guard stat("/proc/self/mem", &file) == 0, file.st_uid == 0 else { exit(4) }
      exit(0)
    }
  }

  @Test("Crash reports are off whatever the environment says") func crashReportsAreOffWhateverTheEnvironmentSays() async {
    await #expect(processExitsWith: .signal(SIGILL)) {
      ProcessHardening.disableCrashReports()
      var action = sigaction()
      sigaction(SIGSEGV, nil, &action)
      guard action.__sigaction_handler.sa_handler == nil else { exit(1) }
      raise(SIGILL)
    }
  }
}
