import OwnerAPI
import Testing

@testable import HoldfastCommands

@Suite struct StopTests {
  @Test(
    "The unit by which systemd started a process is read from its groups",
    arguments: [
      ("0::/user.slice/user-1000.slice/user@1000.service/app.slice/holdfast.service\n", "holdfast.service"),
      ("1:name=systemd:/system.slice/my-signer.service\n", "my-signer.service"),
      ("0::/user.slice/user-1000.slice/user@1000.service/app.slice/vte-spawn-1.scope\n", nil), ("0::/\n", nil), ("", nil),
    ] as [(String, String?)])
  func theUnitIsRead(groups: String, unit: String?) { #expect(SystemdUnit(inGroups: groups)?.name == unit) }

  @Test("A signer of systemd names the command that stops it for good") func systemdIsNamed() {
    var stopped = SignerStopped()
    stopped.process = 7
    #expect(StopCommand.text(stopped) == "The signer (process 7) has ended.")
    stopped.unit = "holdfast.service"
    #expect(StopCommand.text(stopped).hasSuffix("To stop it for good: systemctl --user stop holdfast"))
    #expect(SystemdUnit.parent(inStatus: "Name:\tholdfast\nPPid:\t42\n") == 42)
  }
}
