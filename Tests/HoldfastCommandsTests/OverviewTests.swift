import OwnerAPI
import Testing

@testable import HoldfastCommands

/// What `holdfast` alone shows on a terminal.
@Suite struct OverviewTests {
  private func steps(_ overview: Overview) -> [String] {
    overview.text.split(separator: "\n").dropFirst().map { String($0.drop { $0 == " " }) }
  }

  @Test("Without a vault, it offers a trial and a vault") func withoutAVault() {
    let overview = Overview(withoutVaultAt: "/home/ann/.local/share/holdfast")
    #expect(overview.text.hasPrefix("There is no vault at /home/ann/.local/share/holdfast yet.\n"))
    #expect(steps(overview)[0].hasPrefix("holdfast up --trial ") && steps(overview)[1].hasPrefix("holdfast init "))
  }

  @Test("Without a signer, it says that apps get no answer, and how to start one") func withoutASigner() {
    let overview = Overview(stoppedAt: "/v")
    #expect(overview.text.contains("apps get no answer") && steps(overview)[0].hasPrefix("holdfast up "))
  }

  @Test("The most urgent of three steps comes first") func urgentStepsComeFirst() {
    var status = StatusShow.Response()
    #expect(Overview(running: status).text.hasPrefix("The signer is running. No app is paired yet.\n"))
    #expect(steps(Overview(running: status))[0].hasPrefix("holdfast pair "))
    (status.apps, status.waiting) = (2, 1)
    #expect(Overview(running: status).text.hasPrefix("The signer is running. 2 apps are paired, 1 request waits for you.\n"))
    #expect(steps(Overview(running: status))[0].hasPrefix("holdfast request list "))
    status.lock.isLocked = true
    #expect(steps(Overview(running: status))[0].hasPrefix("holdfast unlock "))
    status.lock.isSuspended = true
    let afterPanic = steps(Overview(running: status))
    #expect(afterPanic.count == 3 && afterPanic[0].hasPrefix("holdfast unlock ") && afterPanic[1].hasPrefix("holdfast log show "))
    #expect(afterPanic[2].hasPrefix("holdfast resume "), "what happened is looked at first")
    status.lock.isLocked = false
    #expect(steps(Overview(running: status))[0].hasPrefix("holdfast client list "))
  }
}
