import CommandLine
import HoldfastCommands
import Platform
import SecretMemory
import Unlocking

#if HOLDFAST_FUZZING
  #error("The fuzzer's build has no signatures that mean anything: the signer is never built with it.")
#endif

// Before anything else, and before a secret is read: a crash of this process tells nothing.
ProcessHardening.disableCrashReports()
let refused = ProcessHardening.apply()

// The TPM's library would write its own words beside ours.
setenv("TSS2_LOG", "all+NONE", 0)

let words = programArguments()
ModuleProcess.serveIfAsked(words)

exit(run(Array(words.dropFirst()), refused: refused).rawValue)
