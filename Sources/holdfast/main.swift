internal import Commands
internal import Glibc
internal import SecretMemory

// Before anything else, and before a secret is read: a crash of this process tells nothing.
ProcessHardening.disableCrashReports()
let refused = ProcessHardening.apply()

exit(run(Array(programArguments().dropFirst()), refused: refused).rawValue)
