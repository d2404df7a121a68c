import Unlocking

// Runs a token's driver for a test, which cannot start itself a second time.
ModuleProcess.serveIfAsked(CommandLine.arguments)
