import CommandLine
import Platform
import SecretMemory

// Before a key is read: a crash of this process tells nothing.
ProcessHardening.disableCrashReports()
_ = ProcessHardening.apply()

exit(WakeProgram.run(Array(Swift.CommandLine.arguments.dropFirst())))
