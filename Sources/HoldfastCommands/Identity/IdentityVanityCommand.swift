import CommandLine
import Curve
import Daemon
import JSON
import OwnerAPI
import OwnerOperations
import Platform
import ResponseTexts
import SecretMemory
import Signer
import TerminalUI
import VanitySearch

/// How often the search is checked, in milliseconds.
private let glance = 100
/// How long the speed is measured before it is shown, in milliseconds.
private let warmUp: Int64 = 1000
/// How long to wait before a locked signer is asked again, in seconds.
private let patience: UInt32 = 2

/// `identity vanity`: searches in the command's own process, then stores the key in the vault.
func searchForKey(_ invocation: Invocation) throws(CommandError) -> ExitCode {
  let asked = try usage(invocation) { () throws(UsageError) in try VanityRequest(invocation) }
  let pattern: VanityPattern
  do throws(VanityError) {
    pattern = try VanityPattern(prefix: asked.prefix, suffix: asked.suffix, npubSuffix: asked.npubSuffix)
  } catch { throw CommandError(error, asked) }
  // Checked before the search, so that nobody finds out after an hour that the name is taken or the passphrase forgotten.
  let storage = try FoundKeyStorage(asked.name, invocation)
  interruption.hold()
  let begin = Clock.monotonicMilliseconds
  let threads = asked.threads ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  let (key, tried) = try search(pattern, threads)
  let searched = Clock.monotonicMilliseconds - begin
  let stored = try storage.store(key)
  let result = JSONValue.object(
    (stored.members ?? []) + [
      .init("tried", .integer(Int64(clamping: tried))), .init("milliseconds", .integer(searched)),
      .init("threads", .integer(Int64(threads))),
    ])
  Output.line(
    invocation.has("json")
      ? String(decoding: result.serialized(), as: UTF8.self)
      : try foundText(try IdentityVanity.answer(ControlResult(stored)), tried: tried, milliseconds: searched))
  return .done
}

/// A text about the found key, for people.
private func foundText(
  _ answer: IdentityVanity.Response, tried: UInt64, milliseconds: Int64
) throws(CommandError) -> String {
  guard let identity = answer.identity else { return "" }
  let seconds = Double(milliseconds) / 1000
  return """
    Found after \(SearchText.count(Double(tried))) keys, in \(SearchText.exactly(seconds)).
    \(IdentityText.text(identity, colors: false))

    This key does not come from words, so no words restore it. Back it up now:
      holdfast identity export \(shown(identity.name))       encrypted with a password, for paper or a file
      holdfast recovery create --identity \(shown(identity.name))   in shares
    """
}

private func search(_ pattern: VanityPattern, _ threads: Int) throws(CommandError) -> (SecretBox, UInt64) {
  // Everything else on this machine has priority, above all the signer.
  nice(10)
  do {
    let search = try VanitySearch(for: pattern, threads: threads)
    defer { search.stop() }
    var progress = SearchProgress(pattern, threads)
    defer { progress.finish() }
    while try !search.wait(milliseconds: glance) {
      if interruption.hasCome { throw CommandError(.failed, "Interrupted.", hint: "No key was stored. Nothing was changed.") }
      progress.update(tried: search.tried)
    }
    guard let found = try search.key() else { throw CommandError(.failed, "The search ended without a key.") }
    return (SecretBox(try found.secretKey().withBytes { try SecretBytes(copying: $0) }), search.tried)
  } catch let error as CommandError { throw error } catch {
    throw CommandError(
      .failed, "There is not enough memory, or no free thread, for the search.", hint: "Close other programs, then try again.")
  }
}

/// The progress of the search as shown on a terminal.
private struct SearchProgress: ~Copyable {
  private let pattern: VanityPattern
  private let threads: Int
  private let begin = Clock.monotonicMilliseconds
  private var bar: ProgressBar
  private var isAnnounced = false

  init(_ pattern: VanityPattern, _ threads: Int) {
    (self.pattern, self.threads) = (pattern, threads)
    bar = ProgressBar("Searching", total: 1000, now: Clock.monotonicMilliseconds)
  }

  mutating func update(tried: UInt64) {
    let now = Clock.monotonicMilliseconds
    guard now - begin >= warmUp, isatty(2) == 1 else { return }
    let rate = Double(tried) * 1000 / Double(now - begin)
    if !isAnnounced {
      isAnnounced = true
      let estimate = VanityEstimate(pattern, keysPerSecond: rate)
      Output.warning(
        SearchText.expectation(
          bits: pattern.bits, keysPerSecond: rate, half: estimate.half, most: estimate.most, threads: threads))
    }
    bar.title = SearchText.title(keysPerSecond: rate)
    bar.update(done: Int(VanityEstimate.chance(pattern, tried: tried) * 1000), now: now)
  }

  mutating func finish() { bar.finish() }
}

/// Stores a found key: in the running signer, or in the vault.
private struct FoundKeyStorage {
  private let name: String
  private let invocation: Invocation
  private let home: Home
  /// Nil while a signer runs.
  private let credential: ShownCredential?

  /// - Throws: if the vault would not take a key with that name now.
  init(_ name: String, _ invocation: Invocation) throws(CommandError) {
    (self.name, self.invocation, home) = (name, invocation, HoldfastCommands.home(invocation))
    let question = IdentityVanity.call(Self.request(name))
    if try askDaemonWhole(question, home) != nil {
      credential = nil
      return
    }
    let known = try shownCredential(invocation)
    _ = try Self.performLocally(question, home, known)
    credential = known
  }

  /// Stores the key. If the signer was locked meanwhile, this waits until it is unlocked, because the search was long.
  func store(_ key: SecretBox) throws(CommandError) -> JSONValue {
    let request = IdentityVanity.call(Self.request(name, key))
    var isSaid = false
    while true {
      do throws(CommandError) {
        if let result = try askDaemonWhole(request, home) { return result.json }
        let known: ShownCredential
        if let credential { known = credential } else { known = try shownCredential(invocation) }
        return try Self.performLocally(request, home, known)
      } catch {
        guard error.exit == .locked, !interruption.hasCome else { throw error }
        if !isSaid {
          Output.warning(
            "The key was found, but the signer is locked. Unlock it in another terminal (holdfast unlock). This command waits.")
        }
        isSaid = true
        sleep(patience)
      }
    }
  }

  private static func request(_ name: String, _ key: SecretBox? = nil) -> IdentityVanity.Request {
    var request = IdentityVanity.Request()
    (request.name, request.key) = (name, key)
    return request
  }

  private static func performLocally(
    _ request: ControlRequest, _ home: Home, _ credential: ShownCredential
  ) throws(CommandError) -> JSONValue {
    do throws(OperationError) {
      let session = try LocalSession(home: home, credential: credential)
      defer { session.close() }
      return try session.perform(request).json
    } catch { throw CommandError(error) }
  }
}

/// Ctrl-C and other requests to end. They are checked for and do not interrupt.
private let interruption = AwaitedSignals(AwaitedSignals.ending)

extension CommandError {
  /// The error for a prefix or suffix that no key can have, or that nobody can find in a lifetime.
  fileprivate init(_ fault: VanityError, _ asked: VanityRequest) {
    switch fault {
    case .empty: self.init(.usage, "No characters to search for were given.", hint: "Give a few, for example: --prefix npub1ace")
    case .tooLong(let limit):
      self.init(
        .usage, "A search for more than \(limit) characters never ends.",
        hint: "Leave some out: each makes it 16 to 32 times faster.")
    case .upperCase(let position):
      self.init(
        .usage, "Character \(position) is a capital letter, but keys are in lower case.", hint: "Write it in lower case.")
    case .notInNpub(let byte, let position):
      self.init(
        .usage, "Character \(position), \(Self.quoted(byte)), never occurs in an npub.",
        hint: "\(Self.npubCharacters) Look-alikes: 8 for b, l or j for i, 0 for o, l for 1. For example: --prefix npub1ace")
    case .notHex(let byte, let position):
      self.init(
        .usage, "Character \(position), \(Self.quoted(byte)), is not a hex digit (0-9, a-f).",
        hint: Self.insteadOfHex(asked))
    case .seventhFromTheEnd(let position):
      self.init(
        .usage, "Character \(position) is the seventh from the end, which is q or s in every npub.",
        hint: "The last six characters are a checksum and can be anything.")
    case .twoEnds:
      self.init(
        .usage, "--suffix and --npub-suffix were both given.",
        hint: "Give one: --suffix for the end in hex, --npub-suffix for the end of the npub.")
    case .secretForm:
      self.init(
        .usage, "nsec1… begins a secret key, which nobody should see.", hint: "Search for an npub instead: --prefix npub1ace")
    }
  }

  private static let npubCharacters = "After npub1, an npub has only the digits 0 and 2-9 and the letters a-z without b, i and o."

  /// How the same is searched for in an npub, if it can occur there.
  private static func insteadOfHex(_ asked: VanityRequest) -> String {
    if asked.prefix.isEmpty || (try? VanityPattern(prefix: asked.prefix, suffix: "", npubSuffix: "")) != nil {
      return "For the end of an npub: --npub-suffix ace. \(npubCharacters)"
    }
    let prefix = "npub1" + asked.prefix
    let isPossible = (try? VanityPattern(prefix: prefix, suffix: "", npubSuffix: "")) != nil
    return "For the beginning of an npub: --prefix \(isPossible ? prefix : "npub1ace"). \(npubCharacters)"
  }

  private static func quoted(_ byte: UInt8) -> String {
    (0x21...0x7E).contains(byte) ? "“\(Character(Unicode.Scalar(byte)))”" : "which is not a letter or digit"
  }
}
