import JSON
import OwnerAPI
import ResponseTexts
import Testing

@testable import CommandLine
@testable import HoldfastCommands
@testable import TerminalUI

/// Answers of the signer, as people read them.
@Suite struct AnswerTextTests {
  private let plain = Reader(now: 10_000)

  private func identity(_ name: String, _ npub: String) -> IdentitySummary {
    var identity = IdentitySummary()
    (identity.name, identity.npub) = (name, npub)
    return identity
  }

  @Test(
    "What a rule lasts yet is said in a unit of which there are two",
    arguments: [
      (5_400, "90 minutes"), (5_399, "90 minutes"), (86_399, "24 hours"), (61, "61 seconds"), (119, "2 minutes"),
      (7_199, "2 hours"), (.max, "106751991167300 days"), (-5, "0 seconds"),
    ])
  func timeThatIsLeft(seconds: Int64, words: String) { #expect(timeLeft(seconds) == words) }

  @Test("The list of identities shows names, keys and the default") func listsIdentities() {
    var answer = IdentityList.Response()
    #expect(IdentityListCommand.text(answer, plain).contains("identity create"))
    answer.identities = [identity("alice", "npub1a"), identity("bob", "npub1b")]
    answer.identities[0].isDefault = true
    let lines = IdentityListCommand.text(answer, plain).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[1].hasPrefix("alice  npub1a") && lines[1].hasSuffix("default"))
    #expect(lines[2].hasPrefix("bob    npub1b"))
  }

  @Test("Colours are shown on a terminal only") func coloursAreOnATerminalOnly() {
    var fox = identity("a\u{25cf}", "npub1a")
    (fox.colour, fox.emoji, fox.isRetired) = ("#00897b", "\u{1f98a}", true)
    let lines = IdentityText.list([fox], plain).split(separator: "\n")
    #expect(lines[1].hasPrefix("\u{1f98a} a\u{25cf}  npub1a") && lines[1].hasSuffix("retired") && !lines[1].contains("\u{1b}"))
    let painted = IdentityText.list([fox], Reader(now: 0, colors: true))
    #expect(painted.contains("\u{1b}[38;2;0;137;123m\u{25cf}\u{1b}[0m \u{1f98a} a\u{25cf}"))
    #expect(painted.filter { $0 == "\u{1b}" }.count == 2)
    let text = IdentityText.text(fox, colors: false)
    #expect(text.contains("#00897b \u{1f98a}") && !text.contains("\u{1b}"))
    var evil = identity("a", "npub1a")
    (evil.colour, evil.notes) = ("\u{1b}[31m", "x\u{1b}[2J\nNAME b")
    #expect(!IdentityText.text(evil, colors: true).contains("\u{1b}"))
    #expect(IdentityText.text(evil, colors: false).contains("\n         NAME b"))
  }

  @Test("The list of backups fits 60 columns with the whole name of each") func backupsFitASmallTerminal() {
    var answer = BackupList.Response()
    answer.backups = (1...2).map { number in
      var backup = BackupListed()
      (backup.name, backup.made) = ("holdfast-0badcafe-20261128T064138Z-10\(number).hfb", 1_795_848_098)
      (backup.size, backup.isVerified) = (123_456, number == 1)
      return backup
    }
    let wide = BackupListCommand.text(answer, Reader(now: 10_000, columns: 120))
    #expect(wide.contains("123456") && wide.contains("read back"))
    let small = BackupListCommand.text(answer, Reader(now: 10_000, columns: 60))
    for backup in answer.backups { #expect(small.contains(backup.name)) }
    #expect(small.split(separator: "\n").allSatisfy { $0.count <= 60 }, "\(small)")
    #expect(small.contains("2026-11-28"))
  }

  @Test("A table that lacks columns on a narrow terminal says so below, and how they are seen; elsewhere it has them all")
  func narrowTablesSaySo() {
    var list = IdentityList.Response()
    var main = IdentitySummary()
    (main.name, main.npub, main.created) = ("main", "npub1" + String(repeating: "q", count: 58), 1_795_953_600)
    list.identities = [main]
    let narrow = IdentityListCommand.text(list, Reader(now: 10_000, columns: 80))
    #expect(IdentityListCommand.text(list, Reader(now: 10_000, colors: true, columns: 80)).contains("CREATED"))
    #expect(narrow.hasSuffix("\n\nNot shown in a window this narrow: CREATED. Widen the window, or add --json."), "\(narrow)")
    for columns in [nil, 120] {
      let whole = IdentityListCommand.text(list, Reader(now: 10_000, columns: columns))
      #expect(!whole.contains("Not shown") && whole.contains("CREATED"))
    }
  }

  @Test("Before the first notification, the status does not say that notifications are on") func anUntriedDesktopIsNotOn() {
    var (answer, running) = (StatusShow.Response(), RunningStatus())
    for (condition, says) in [(DesktopCondition.unused, "notifications not tried yet"), (.shown, "notifications on")] {
      running.desktop = condition
      answer.running = running
      #expect(StatusCommand.text(answer, plain).contains(says))
    }
    running.desktop = .unused
    answer.running = running
    #expect(!StatusCommand.text(answer, plain).contains("notifications on"))
    #expect(StatusCommand.text(answer, plain).contains("all is well"))
    answer.running?.newIncidents = 1
    #expect(!StatusCommand.text(answer, plain).contains("all is well"), "an incident that nobody has looked at")
  }

  @Test("An app whose only relay cannot be reached is named by the status, with what to do") func namesAnUnreachedApp() {
    var (answer, app) = (StatusShow.Response(), UnreachedApp())
    (app.pubkey, app.name, app.relays) = (String(repeating: "a", count: 64), "Coracle", ["wss://gone.example"])
    answer.running = RunningStatus()
    answer.running?.unreachedApps = [app]
    let one = StatusCommand.text(answer, plain)
    #expect(one.contains("Requests of “Coracle” do not arrive: its only relay, wss://gone.example, cannot be reached."))
    #expect(one.contains("pair the app again, with another one: holdfast pair --relay wss://…") && !one.contains("all is well"))
    answer.running?.unreachedApps = Array(repeating: app, count: 2)
    #expect(StatusCommand.text(answer, plain).contains("Requests of “Coracle” and “Coracle” do not arrive: none of their relays"))
    answer.running?.unreachedApps = Array(repeating: app, count: 5)
    #expect(StatusCommand.text(answer, plain).contains("“Coracle”, “Coracle”, “Coracle” and others do not arrive"))
    #expect(Overview(running: answer).text.contains("holdfast status"))
  }

  @Test("Whoever pairs an app that was revoked is told so in the question, and by the result") func namesTheRevocation() {
    var (link, paired) = (PairPreview.Response(), PairAccept.Response())
    #expect(PairPreviewText.question(link) == "Pair this app?")
    link.revokedAt = 1_795_953_600
    #expect(PairPreviewText.question(link) == "You revoked this app on 2026-11-29. Pair it again?")
    #expect(!PairAcceptCommand.text(paired, plain).contains("revoked"))
    paired.revokedAt = 1_795_953_600
    #expect(
      PairAcceptCommand.text(paired, plain).contains("You revoked it on 2026-11-29. It is paired again now. It has medium trust.")
    )
  }

  @Test("The whole link is shown") func showsTheWholeLink() {
    var answer = PairNew.Response()
    answer.bunker = "bunker://" + String(repeating: "a", count: 1000)
    #expect(PairNewCommand.text(answer, plain).hasSuffix("\n\n" + answer.bunker))
  }

  @Test("A link that only this machine can use says so, and one made without a signer says that it works later")
  func saysWhoCanUseALink() {
    var answer = PairNew.Response()
    answer.unreached = []
    #expect(!PairNewCommand.text(answer, plain).contains("this machine only"))
    answer.isThisMachineOnly = true
    #expect(PairNewCommand.text(answer, plain).contains("this machine only"))
    (answer.unreached, answer.relays) = (nil, ["ws://127.0.0.1:24133/relay"])
    #expect(
      PairNewCommand.text(answer, plain).contains(
        "No signer runs. The link is for one that listens at ws://127.0.0.1:24133/relay, and works once that one runs: holdfast up"
      ))
  }

  @Test("The log shows what happened as a phrase, how it ended and why") func listsTheLog() {
    var (asked, done) = (LogEntry(), LogEntry())
    (asked.text, asked.decision, asked.rule, asked.clientName) = ("Change your profile", .ask, "protected kind", "Coracle")
    (done.text, done.entry, done.error, done.failure) = ("Sign a note", .requestDone, 9, "no relay accepted the answer")
    var answer = LogShow.Response()
    answer.entries = [asked, done]
    let lines = LogShowCommand.text(answer, plain).split(separator: "\n")
    #expect(lines[1].hasSuffix("Coracle  Change your profile  asked you: protected kind"))
    #expect(lines[2].hasSuffix("Sign a note          failed: no relay accepted the answer"))
  }

  @Test("A waiting request is shown with the reason") func saysWhyARequestWaits() {
    var request = WaitingRequest()
    (request.id, request.client.name, request.title) = ("4", "Amethyst", "Change your profile")
    (request.summary, request.identity.name) = ("sign kind 0 (profile)", "alice")
    (request.received, request.reason) = (9000, "protected kind")
    var answer = RequestList.Response()
    #expect(RequestListCommand.text(answer, plain) == "Nothing waits for you.")
    answer.requests = [request]
    let shown = RequestListCommand.text(answer, plain)
    #expect(shown.contains("4  ! Amethyst: Change your profile\n          as alice"))
    #expect(shown.contains("16 minutes ago") && shown.contains("protected kind") && shown.contains("request approve"))
  }

  @Test("A restore says what became of the list of revoked apps") func saysWhatARestoreFound() {
    var answer = BackupRestore.Response()
    for state in RevocationsState.allCases {
      answer.revocations.state = state
      #expect(BackupText.restored(answer).contains("Check each app below") == (state != .read), "\(state)")
    }
    (answer.paused, answer.revoked, answer.offered) = (["one", "two"], ["three"], 1)
    let text = BackupText.restored(answer)
    #expect(text.contains("one, two") && text.contains("not restored: three") && text.contains("guardian held"))
    #expect(text.contains("A budget of theirs counts as used up"))
  }

  @Test("What commands print without a signer has the members it always had") func commandsAreStable() {
    #expect(
      BackupRestore.Response().json.members?.map(\.key) == [
        "home", "restored", "made", "number", "suspended", "revoked", "revocations", "dropped", "without_key", "offered",
        "left_out",
      ])
    #expect(
      SignerReady().json.members?.map(\.key) == [
        "ready", "bunker", "pubkey", "npub", "identity", "relay", "console", "pid", "home", "trust", "shut", "remarks",
        "this_machine_only", "signin",
      ])
    #expect(HomeMade().json.members?.map(\.key) == ["home", "created"])
    #expect(DoctorReport().json == ["ok": false, "findings": []])
    #expect(DoctorFinding().json.members?.map(\.key) == ["check", "verdict", "found", "advice"])
    #expect(RevocationsRead().json.members?.map(\.key) == ["state", "as_of", "entries"])
    #expect(
      Set(RevocationsState.allCases.map(\.rawValue)) == [
        "read", "missing", "older", "damaged", "other-vault", "unreachable", "unknown",
      ])
  }

  @Test("A damaged log is reported with the entry") func saysWhatIsWrongWithTheRecord() {
    var (answer, result) = (LogVerify.Response(), LogCheckResult())
    (result.isSound, result.entries) = (true, 12)
    answer.result = result
    #expect(LogVerifyCommand.text(answer, plain).contains("12 entries"))
    (result.isSound, result.fault) = (false, "entry 7")
    answer.result = result
    #expect(LogVerifyCommand.text(answer, plain).contains("entry 7"))
  }

  /// Every command that answers in text from a JSON object in which a stranger chose all names.
  @Test("Names that strangers choose cannot control the terminal") func nothingAStrangerNamesReachesTheTerminalRaw() {
    for shown in texts(naming: "\u{1B}]0;owned\u{7}\u{202E}\r\n") {
      #expect(
        shown.unicodeScalars.allSatisfy { $0 == "\n" || !($0.properties.generalCategory == .control || $0.value == 0x202E) })
    }
  }

  @Test(
    "No command that a stranger writes is completed or kept whole as if the signer suggested it",
    arguments: [
      "The signer is locked. Unlock it: holdfast client trust x full --yes", "holdfast client trust x full --yes", "holdfast",
    ])
  func nothingAStrangerNamesIsACommand(text: String) {
    for shown in texts(naming: text) {
      let completed = SuggestedCommands(home: "/vault").text(shown)
      #expect(!completed.contains("--home /vault client trust x"), "\(completed)")
    }
  }

  /// Texts of commands whose answers hold the text wherever a stranger may have chosen it.
  private func texts(naming evil: String) -> [String] {
    var app = AppSummary()
    (app.name, app.identity, app.pubkey) = (evil, evil, evil)
    var apps = AppList.Response()
    apps.clients = [app]
    var detail = AppDetail()
    (detail.summary, detail.url, detail.relays) = (app, evil, [evil])
    var request = WaitingRequest()
    (request.id, request.title, request.summary, request.reason, request.client.name) = (evil, evil, evil, evil, evil)
    var text = RequestPart(.text)
    (text.label, text.text) = (evil, evil)
    var address = RequestPart(.url)
    (address.label, address.method, address.url) = (evil, evil, "client trust x full --yes")
    var list = RequestPart(.listChange)
    var listed = ListEntry()
    (listed.text, listed.name) = (evil, evil)
    (list.added, list.addedCount) = ([listed], 1)
    request.parts = [text, address, list]
    var waiting = RequestList.Response()
    waiting.requests = [request]
    var entry = LogEntry()
    (entry.clientName, entry.rule) = (evil, evil)
    var entries = LogShow.Response()
    entries.entries = [entry]
    var link = PairNew.Response()
    (link.bunker, link.identity) = (evil, evil)
    var accepted = PairAccept.Response()
    (accepted.name, accepted.client, accepted.permissions) = (evil, evil, [evil])
    var restored = BackupRestore.Response()
    (restored.home, restored.paused, restored.revoked, restored.withoutKey) = (evil, [evil], [evil], [evil])
    var backup = BackupVerify.Response()
    (backup.contents.apps, backup.contents.slots) = ([evil], [Slot()])
    backup.contents.slots[0].label = evil
    var relay = RelayTry.Response()
    (relay.url, relay.why, relay.name) = ("wss://a.example", evil, evil)
    var share = ShareRequestSummary()
    (share.id, share.note) = ("ab", evil)
    return [
      RelayTryCommand.text(relay, plain), GuardianText.request(share), BackupText.restored(restored), BackupText.contents(backup),
      ClientListCommand.text(apps, plain), AppText.text(detail, plain),
      RequestListCommand.text(waiting, plain),
      RequestText.account(request, 0), LogShowCommand.text(entries, plain), PairNewCommand.text(link, plain),
      PairAcceptCommand.text(accepted, plain), IdentityText.text(identity(evil, evil), colors: true),
    ]
  }

  @Test("An answer without its members is an error") func anAnswerWithoutItsMembersIsAnError() {
    #expect(throws: CommandError.self) { try AppShow.answer([:]) }
    #expect(throws: CommandError.self) { try StatusShow.answer(["version": 1]) }
  }

  @Test("An error says what to do next") func errorSaysWhatToDoNext() {
    let error = CommandError(.inFile(path: "pass.txt", .notReadable(code: 2)), what: "The passphrase")
    #expect(
      error.text
        == "holdfast: The passphrase in pass.txt could not be read: No such file or directory.\nCheck the file's name and its permissions."
    )
    #expect(error.json["exit"]?.integer == 5 && error.json["ok"]?.bool == false)
    #expect(CommandError(.failed, "a\u{1B}b").text == "holdfast: a\\u{1b}b")
  }

  @Test("An app without a name is called by its key, in the same words in every list")
  func anAppWithoutANameIsCalledTheSameEverywhere() {
    let (key, words) = ("0397e7e8" + String(repeating: "0", count: 56), "Unnamed app · 0397e7e8")
    #expect(AppName.digits(in: words) == "0397e7e8" && AppName.digits(in: "Unnamed app · 0397e7e") == nil)
    #expect(AppName.digits(in: "app 0397e7e8") == nil && AppName.digits(in: "Unnamed app · zzzzzzzz") == nil)
    var app = AppSummary()
    app.pubkey = key
    for name in ["", "0397e7e8", "app 0397e7e8"] {
      app.name = name
      #expect(app.shownName == words)
    }
    #expect(AppName.shown("app", key) == "app" && AppName.shown("app 0397e7e9", key) == "app 0397e7e9")
    var list = AppList.Response()
    list.clients = [app]
    #expect(ClientListCommand.text(list, .present).contains(words))
    var entry = LogEntry()
    (entry.sequence, entry.client, entry.clientName, entry.text) = (1, key, app.name, "Sign a note")
    #expect(LogText.table([entry]).contains("\(words)  Sign a note") && LogText.entry(entry).contains(words))
    var waiting = WaitingRequest()
    (waiting.client.pubkey, waiting.client.name) = (key, app.name)
    #expect(RequestText.account(waiting, 0).contains(words))
  }

  @Test("One day is said without a number behind “every” and “another”") func oneUnitIsSaidWithoutItsNumber() {
    #expect([unitInWords("1d"), unitInWords("12h"), unitInWords("1w")] == ["day", "12 hours", "week"])
  }

  @Test("A new slot's command has no space at its end") func aNewSlotsCommandHasNoSpaceAtItsEnd() {
    var answer = SlotAdd.Response()
    (answer.slot.id, answer.slot.kind) = (2, .passphrase)
    #expect(SlotAddCommand.text(answer, .present).hasSuffix("holdfast slot test 2"))
    answer.slot.kind = .keyring
    #expect(SlotAddCommand.text(answer, .present).hasSuffix("holdfast slot test 2 --keyring"))
  }

  @Test("The rules are shown with the kinds of events that they are about, within 80 columns")
  func rulesNameKinds() {
    var row = PolicyDefault()
    (row.what, row.kinds) = ("a request to vanish, which erases all you published", "62")
    var policy = PolicySummary()
    policy.defaults = [row]
    let text = PolicyText.rules(policy, Reader(now: 0, columns: 80))
    #expect(text.contains("erases all you published (62)"))
    #expect(text.split(separator: "\n").suffix(2).allSatisfy { columnWidth(of: String($0)) <= 80 })
  }

  @Test("A key that nothing is known to have is deleted by its name, and what the log cannot know is said")
  func keysAreDeletedByName() {
    var answer = IdentityDelete.Response()
    (answer.plan, answer.stillIn) = (IdentityDelete.Plan(), [])
    answer.plan?.identity = "bob"
    #expect(IdentityDeleteCommand.typedWord(answer) == "bob")
    #expect(IdentityDeleteCommand.question(answer, 0)?.contains("nothing that could restore it") == true)
    answer.isLogYounger = true
    let unsure = IdentityDeleteCommand.question(answer, 0) ?? ""
    #expect(unsure.contains("there may be an older one") && !unsure.contains("nothing that could restore it"))
    #expect(unsure.hasSuffix("type its name:"))
    answer.stillIn = nil
    #expect(IdentityDeleteCommand.typedWord(answer) == "bob", "nobody can tell now")
    var copy = KeyCopy()
    (copy.what, copy.lastTime) = ("backup", 100)
    answer.stillIn = [copy]
    #expect(IdentityDeleteCommand.typedWord(answer) == nil)
    #expect(IdentityDeleteCommand.question(answer, 0)?.hasSuffix("Delete “bob” and its key for good?") == true)
  }

  @Test("Commands that are suggested name the home that was named") func suggestedCommandsNameTheHome() {
    let named = SuggestedCommands(home: "/tmp/a b's")
    #expect(
      named.text("Next: holdfast up, then (holdfast pair)")
        == #"Next: holdfast --home '/tmp/a b'\''s' up, then (holdfast --home '/tmp/a b'\''s' pair)"#)
    #expect(named.text("holdfast keeps your keys") == "holdfast keeps your keys", "a sentence is no command")
    #expect(SuggestedCommands(home: "/srv/keys").text("'holdfast log show'") == "'holdfast --home /srv/keys log show'")
    #expect(SuggestedCommands(home: "/tmp/a b").text("try 'holdfast init' now") == "try “holdfast --home '/tmp/a b' init” now")
    #expect(SuggestedCommands(home: nil).text("holdfast up") == "holdfast up")
    #expect(
      SuggestedCommands(home: "./keys").text("holdfast up") == "holdfast --home \(absolute("."))/keys up",
      "it works in every folder")
    #expect(SuggestedCommands(home: "/srv/keys").text("try 'holdfast up --trial'") == "try 'holdfast up --trial'")
  }
}
