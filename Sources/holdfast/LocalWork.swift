internal import Commands
internal import JSON
internal import LocalAccess

/// The vault's folder that the command line or the environment names.
func homeFolder(_ invocation: Invocation) -> String { invocation.value("home") ?? Terminal.environment("HOLDFAST_HOME") ?? "." }

func performLocally(_ request: ControlRequest, _ home: String, _ invocation: Invocation) throws(Complaint) -> JSONValue {
  throw Complaint(.failed, "No daemon is running on \(home).", hint: "Start it with: holdfast up")
}

func createVault(_ invocation: Invocation) throws(Complaint) -> ExitCode {
  throw Complaint(.failed, "Vaults cannot be made yet.")
}

func startSigner(_ invocation: Invocation) throws(Complaint) -> ExitCode {
  throw Complaint(.failed, "The signer cannot be started yet.")
}
