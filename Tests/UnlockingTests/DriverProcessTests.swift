import CToken
import Ciphers
import Encodings
import Foundation
import Platform
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import Unlocking

extension Devices {
  /// Drivers that crash, hang, lie and look around, each in a real process of its own.
  @Suite struct DriverProcessTests {
    private static let ended = KeyStoreError.deviceFailed("its driver ended unexpectedly", code: 0)
    private static let late = KeyStoreError.deviceFailed("its driver did not answer in time", code: 0)
    private static let unreadable = KeyStoreError.deviceFailed("its driver sent what is no answer", code: 0)
    private static let id = [UInt8](repeating: 1, count: 16)

    /// Logs in and signs.
    private func sign(_ device: TokenDevice) throws(KeyStoreError) -> [UInt8] {
      try device.use { (driver, token) throws(KeyStoreError) in
        _ = try driver.publicKey(Self.id, .signing)
        return try driver.sign(SHA256.digest(of: [1]), with: Self.id)
      }
    }

    /// Drivers' processes that this one started and that are still there, if only to be waited for.
    private var children: [String] {
      let folder = "/proc/self/task"
      let tasks = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return tasks.flatMap { task -> [String] in
        let list = (try? String(contentsOfFile: "\(folder)/\(task)/children", encoding: .utf8)) ?? ""
        return list.split(separator: " ").map(String.init).filter { child in
          (try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8)) == "DriverHost\n"
        }
      }
    }

    @Test("A driver that crashes causes an error, and the next call works")
    func aDriverThatCrashesEndsAloneAndLeavesNothing() throws {
      let module = try BadModule()
      let before = children.count
      for step in ["load", "initialize", "slots", "token", "login", "find", "attribute", "sign"] {
        for harm in ["abort", "fault", "exit", "hangup"] {
          module.behave("\(harm):\(step)")
          #expect(throws: Self.ended, "\(harm):\(step)") { try sign(module.device()) }
        }
      }
      module.behave(nil)
      #expect(try sign(module.device()).count == 64)
      for harm in ["abort", "fault", "hang"] {  // the answer was there already
        module.behave("\(harm):finalize")
        #expect(try sign(module.device()).count == 64)
      }
      #expect(children.count == before)
    }

    @Test("A driver that hangs is stopped at its time limit, and the next call works")
    func aDriverThatHangsIsEndedAndReaped() throws {
      let module = try BadModule()
      let before = children.count
      for step in ["load", "initialize", "slots", "login", "sign"] {
        module.behave("hang:\(step)")
        #expect(throws: Self.late, "\(step)") { try sign(module.device(milliseconds: 700)) }
      }
      module.behave("trickle:login")  // a byte now and then is no answer either
      #expect(throws: Self.late) { try sign(module.device(milliseconds: 700)) }
      module.behave(nil)
      #expect(try sign(module.device()).count == 64)
      #expect(children.count == before)
    }

    @Test("The program can stop without waiting for a driver that hangs")
    func driversAreEndedAtOnce() throws {
      let module = try BadModule()
      let before = children.count
      module.behave("hang:login")
      let isOver = Locked(false)
      let ending = SystemThread.start {
        while isOver.wait(milliseconds: 300, until: { $0 ? true : nil }) == nil { ModuleProcess.endAll() }
      }
      let start = ContinuousClock.now
      #expect(throws: Self.ended) { try sign(module.device(milliseconds: 20_000)) }
      #expect(ContinuousClock.now - start < .seconds(10))
      isOver.change { $0 = true }
      if let ending { ending.join() }
      #expect(children.count == before)
    }

    @Test("Lengths and counts that a driver reports are checked")
    func aDriverThatLiesOrWritesTooFarHarmsOnlyItself() throws {
      let module = try BadModule()
      for step in ["slots", "find", "attribute", "sign", "token"] {
        for harm in ["lie", "overflow"] {
          module.behave("\(harm):\(step)")
          let device = try module.device()
          // The damage is its own: an answer, a fault, or its end.
          do throws(KeyStoreError) {
            let answer = try sign(device)
            #expect(answer.count == 64)
          } catch {
            let isNamed =
              error == Self.ended || [.duplicateItem, .itemNotFound].contains(error) || "\(error)".contains("corrupt")
            #expect(isNamed, "\(harm):\(step): \(error)")
          }
        }
      }
      // A signature that is none is never given out.
      module.behave(nil)
      let keys = PKCS11Keys(module: module.path, pin: try box("4711-pin"))
      #expect(throws: KeyStoreError.corrupt("the token's signature")) { try keys.sign(SHA256.digest(of: [1]), with: Self.id) }
    }

    @Test("Invalid bytes from a driver end the call", arguments: ["initialize", "slots", "login", "sign"])
    func garbageOnTheSocketIsNoAnswer(step: String) throws {
      let module = try BadModule()
      for harm in ["garbage", "long"] {
        module.behave("\(harm):\(step)")
        #expect(throws: Self.unreadable) { try sign(module.device()) }
      }
    }

    @Test("The driver file that was checked is loaded, even if its link has changed since")
    func aLinkThatIsChangedAfterTheCheckLoadsNothingElse() throws {
      let token = try SoftHSM()
      let module = try BadModule()
      let (link, marker) = (token.folder.file("link.so"), token.folder.file("ran"))
      setenv("PKCS11_MARKER", marker, 1)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: SoftHSM.module)
      let file = try ModuleFile(stored: link)
      unlink(link)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: module.path)
      let driver = try TokenDriver(DriverProcess(module: file), hasModule: true)
      #expect(try TokenURI(of: driver.token(nil).info).name == "holdfast test")
      #expect(access(marker, F_OK) != 0, "foreign code ran")
      #expect(throws: KeyStoreError.corrupt("the module's path: others can write there")) { try ModuleFile(stored: link) }
      let bad = try TokenDriver(DriverProcess(module: ModuleFile(named: link)), hasModule: true)
      #expect(try bad.view().tokens.count == 1 && access(marker, F_OK) == 0, "the marker tells")
    }

    @Test("Only a regular file is loaded as a driver, and a pipe blocks nothing")
    func whatIsNoFileIsNoDriver() throws {
      let folder = try Folder()
      let (pipe, dangling, loop) = (folder.file("pipe"), folder.file("dangling"), folder.file("loop"))
      #expect(mkfifo(pipe, 0o600) == 0 && symlink("/nowhere", dangling) == 0 && symlink(loop, loop) == 0)
      for path in [
        "", "/", "/usr", folder.path, pipe, dangling, loop, SoftHSM.module + "\u{0}", String(repeating: "a", count: 256),
      ] {
        #expect(throws: KeyStoreError.notPresent("the token's module"), "\(path)") { try ModuleFile(named: path) }
      }
      for path in ["/", "/usr", dangling, loop] {
        #expect(throws: KeyStoreError.notPresent("the token's module"), "\(path)") { try ModuleFile(stored: path) }
      }
      for path in ["", "libsofthsm2.so", SoftHSM.module + "\u{0}", "/" + String(repeating: "a", count: 255)] {
        #expect(throws: KeyStoreError.corrupt("the module's path"), "\(path)") { try ModuleFile(stored: path) }
      }
      for path in [pipe, folder.path] {
        #expect(throws: KeyStoreError.corrupt("the module's path: others can write there")) { try ModuleFile(stored: path) }
      }
    }

    @Test("A driver has no access to the signer's memory, files or environment")
    func aDriverSeesNothingOfTheSigner() throws {
      let module = try BadModule()
      let report = module.folder.file("report")
      setenv("PKCS11_REPORT", report, 1)
      setenv("HOLDFAST_CANARY", "canary-variable-5501", 1)
      defer { unsetenv("HOLDFAST_CANARY") }
      let kept = open(module.path, O_RDONLY)  // without O_CLOEXEC, as a careless library opens it
      defer { close(kept) }
      module.behave("look:login")
      #expect(try sign(module.device()).count == 64)
      let seen = try String(contentsOfFile: report, encoding: .utf8)
      #expect(seen.contains("PIN: 4711-pin") && !seen.contains("own variable: HOLDFAST_CANARY"))
      let files = seen.split(separator: "\n").filter { $0.hasPrefix("own file: ") }
      #expect(files.count == 5 && files.filter { $0.contains("/dev/null") }.count == 3, "\(files)")
      #expect(seen.contains("dumpable: 0, core: 0, death signal: 9"))
      #expect(seen.contains("Max open files            256") && seen.contains("Max file size             67108864"))
      #expect(!seen.contains("Max data size             unlimited"))
      #expect(seen.contains("NoNewPrivs:\t1") && seen.contains("CapEff:\t0000000000000000"))
    }

    @Test("A touch or a PIN on the token's keypad may take longer than other answers")
    func eachRequestHasItsTime() throws {
      let channel = SilentChannel()
      let driver = try TokenDriver(channel, hasModule: true)
      channel.isSilent = true
      let token = TokenDriver.Token(place: 0, info: .init(), path: nil)
      func words(_ step: () throws -> Void) -> String {
        do { try step() } catch { return "\(error)" }
        return "an answer"
      }
      #expect(words { _ = try driver.view() }.contains("within 30 s"))
      #expect(words { try driver.logIn(token, pin: box("1234")) }.contains("within 30 s"))
      #expect(words { try driver.logIn(token, pin: nil) }.contains("within 180 s"))
      #expect(words { _ = try driver.sign(SHA256.digest(of: [1]), with: Self.id) }.contains("within 60 s"))
      #expect(words { _ = try driver.agree(Self.id, with: Self.id).count }.contains("within 60 s"))
      #expect(words { _ = try driver.decrypt(Self.id, with: Self.id).count }.contains("within 60 s"))
      #expect(words { _ = try driver.generate(.signing, id: Self.id, label: "") }.contains("within 120 s"))
    }

    @Test("A driver gets only the environment variables that it needs") func variablesOfDriversAreHandedOnAndNoOthers() {
      let all = [
        "HOME=/h", "SOFTHSM2_CONF=c", "LD_PRELOAD=evil.so", "NOTIFY_SOCKET=/n", "HOLDFAST_HOME=/v", "VENDOR_CONF=x", "LC_ALL=C",
        "odd",
        "CREDENTIALS_DIRECTORY=/run/c",
      ]
      #expect(DriverEnvironment.chosen(all) == ["HOME=/h", "SOFTHSM2_CONF=c", "LC_ALL=C"])
      #expect(DriverEnvironment.chosen(all + ["HOLDFAST_TOKEN_ENVIRONMENT=VENDOR_CONF"]).contains("VENDOR_CONF=x"))
    }

    @Test("A driver process serves only the process that started it") func theProgramServesOnlyTheOneThatStartedIt() throws {
      try DriverHost.use()
      let host = try #require(DriverHost.path)
      #expect(try run(host, [ModuleProcess.argument, "1"]).status == 1)
      #expect(try run(host, [ModuleProcess.argument, "\(getpid())"]).status == 1, "without a socket")
    }

    @Test("Errors of a driver arrive unchanged") func faultsCrossTheSocketAsTheyAre() {
      let faults: [KeyStoreError] = [
        .itemNotFound, .duplicateItem, .authenticationFailed(triesLeft: nil, waitSeconds: 0),
        .authenticationFailed(triesLeft: 1, waitSeconds: 0), .userCancelled, .biometryLockout, .notPresent("the token"),
        .deviceFailed("starting the module", code: 5), .corrupt("the token's public key"),
      ]
      for fault in faults {
        let bytes = TokenFailureCode.bytes(fault)
        #expect(TokenFailureCode.error(bytes) == fault)
        #expect(TokenFailureCode.error(bytes.dropLast()) == nil && TokenFailureCode.error(bytes + [0]) == nil)
      }
      #expect(TokenFailureCode.error([9] + TokenFailureCode.bytes(.itemNotFound).dropFirst()) == nil)
      #expect(TokenFailureCode.error([6, 255] + TokenFailureCode.bytes(.itemNotFound).dropFirst(2)) == nil)
    }
  }
}

/// Takes the first request, and then says nothing any more.
private final class SilentChannel: DriverChannel {
  var isSilent = false
  func send(_ bytes: UnsafeRawBufferPointer, until deadline: TokenDeadline) {}
  func receive(_ room: UnsafeMutableRawBufferPointer, until deadline: TokenDeadline) throws(KeyStoreError) {
    guard !isSilent else { throw .deviceFailed(deadline.words, code: 0) }
    room.initializeMemory(as: UInt8.self, repeating: 0)
  }
  func giveUp() {}
}
