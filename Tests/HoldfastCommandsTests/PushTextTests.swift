import OwnerAPI
import ResponseTexts
import Testing

@testable import HoldfastCommands

@Suite struct PushTextTests {
  private static let trouble = "it does not take this kind of device. It says: “It is on this machine.”"

  private func app(_ state: RegisteredApp.State, since: Int64? = nil, error: String? = nil) -> RegisteredApp {
    var app = RegisteredApp()
    (app.name, app.proxy, app.state, app.since, app.error) = ("Amethyst", "https://push.example", state, since, error)
    return app
  }

  private func state(_ apps: [RegisteredApp], runs: Bool = true) -> PushRegistrationState {
    var state = PushRegistrationState()
    (state.proxy, state.apps, state.isRunning) = ("https://push.example", apps, runs)
    return state
  }

  @Test("What a small terminal's table cuts of a proxy's refusal stands below it, once") func refusal() {
    var answer = PushStatus.Response()
    answer.state = state([app(.waiting, error: Self.trouble), app(.waiting, error: Self.trouble)])
    let small = PushStatusCommand.text(answer, Reader(now: 10, columns: 80)).split(separator: "\n")
    #expect(small.filter { $0 == "! Trouble in full: \(Self.trouble)" }.count == 1)
    #expect(small.filter { $0.contains("It is on this machine.") }.count == 1, "the table has no room for it")
    let whole = PushStatusCommand.text(answer, Reader(now: 10)).split(separator: "\n")
    #expect(whole.filter { $0.hasSuffix(Self.trouble) }.count == 2 && !whole.contains { $0.hasPrefix("!") })
  }

  @Test("The rows name their proxy when an earlier one still has to forget apps, and not else") func severalProxies() {
    var answer = PushStatus.Response()
    var old = app(.leaving, since: 5)
    answer.state = state([app(.registered, since: 6)])
    #expect(!PushStatusCommand.text(answer, Reader(now: 10)).contains("PROXY"))
    old.proxy = "https://old.example"
    answer.state.apps.append(old)
    let rows = PushStatusCommand.text(answer, Reader(now: 10)).split(separator: "\n")
    #expect(rows[1].contains("PROXY") && rows[2].contains("https://push.example") && rows[3].contains("https://old.example"))
    (answer.state.proxy, answer.state.apps) = (nil, [old])
    #expect(PushStatusCommand.text(answer, Reader(now: 10)).contains("https://old.example"))
  }

  @Test("Only apps that are to be registered are counted, and nothing is said to be done before it is") func counts() {
    let reader = Reader(now: 10)
    let moved = [app(.waiting), app(.leaving, since: 5), app(.leaving)]
    #expect(
      PushRegisterCommand.text(state(moved), reader)
        == "1 app is being registered at https://push.example by the running signer.")
    #expect(
      PushRegisterCommand.text(state([app(.waiting), app(.waiting)], runs: false), reader)
        == "2 apps will be registered at https://push.example once a signer runs: holdfast up")
    #expect(
      PushRegisterCommand.text(state([app(.registered, since: 5)]), reader)
        == "1 app is registered at https://push.example already.")
    #expect(PushRegisterCommand.text(state([app(.leaving)]), reader).hasPrefix("No app is paired over a relay yet."))
    #expect(
      PushUnregisterCommand.text(state([app(.leaving, since: 5), app(.leaving)]), reader)
        == "The key of 1 app is being unregistered by the running signer.\n"
        + "The proxy never said that it registered the key of 1 app. It is asked to forget it all the same.")
    #expect(PushUnregisterCommand.text(state([]), reader) == "No push proxy is named any more. No app was registered.")
  }
}
