import AuditLog
import CommandLine
import Encodings
import JSON
import OwnerAPI
import Platform
import ResponseTexts
import TerminalUI

/// A proof that somebody saved. Everything in it may be made up.
struct ProofFile {
  /// The longest file that is read, in bytes. A sealed entry has at most a few thousand.
  private static let longest = 1 << 20

  private let entry: EntryProof?
  private let growth: GrowthProof?

  /// - Parameter file: its path, or `-`.
  /// - Throws: when it cannot be read, or is no proof.
  init(_ file: String) throws(CommandError) {
    let bytes = try Self.bytes(file)
    guard let json = try? JSONValue(parsing: bytes) else {
      throw Self.isForPeople(bytes) ? Self.textForPeople(file) : Self.noProof(file)
    }
    guard let response = try? LogProve.response(from: ControlResult(json)) else { throw Self.noProof(file) }
    (entry, growth) = (response.entry, response.growth)
    // Only one would be checked, and the other be believed.
    guard (entry == nil) != (growth == nil) else { throw Self.noProof(file) }
  }

  private static func noProof(_ file: String) -> CommandError {
    CommandError(.failed, "\(named(file)) is not a whole proof, or not one alone.", hint: howToMakeOne)
  }

  /// What `log prove` prints without an option.
  private static func isForPeople(_ bytes: [UInt8]) -> Bool {
    ["Entry ", "The log begins with "].contains { bytes.starts(with: $0.utf8) }
  }

  private static func textForPeople(_ file: String) -> CommandError {
    CommandError(
      .failed, "\(named(file)) is the text that 'holdfast log prove' prints for people. It is not the whole proof.",
      hint: howToMakeOne)
  }

  private static let howToMakeOne = "To make a proof: holdfast log prove N --out FILE"

  private static func bytes(_ file: String) throws(CommandError) -> [UInt8] {
    guard file != "-" else {
      guard let bytes = PlainInput.all(limit: longest) else { throw tooLong(file) }
      return bytes
    }
    try checkReadable(file)
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw tooLong(file) }
    defer { close(descriptor) }
    _ = fcntl(descriptor, F_SETFL, 0)  // from here on, a pipe that is still empty is waited for
    guard let bytes = PlainInput.all(limit: longest, from: descriptor) else { throw tooLong(file) }
    return bytes
  }

  private static func tooLong(_ file: String) -> CommandError {
    CommandError(.failed, "\(named(file)) cannot be read, or is longer than \(longest >> 20) MiB.")
  }

  private static func named(_ file: String) -> String { file == "-" ? "Standard input" : printable(file, limit: 300) }

  /// Checks the proof.
  /// - Parameter key: the key that signs the log. Nil for the one in the file.
  /// - Throws: when there is no usable key.
  func checked(byKey key: String?) throws(CommandError) -> ProofChecked {
    guard let verifier = key ?? entry?.verifierKey ?? growth?.verifierKey, !verifier.isEmpty else {
      throw CommandError(.usage, "This proof does not name the key that signed it.", hint: "Give it with --key.")
    }
    var checked = ProofChecked()
    checked.isOwnKey = key == nil
    do throws(ProofCheck.Fault) {
      let check = try ProofCheck(verifierKey: verifier)
      checked.log = check.origin
      if let growth { try growth.check(with: check, &checked) } else { try entry?.check(with: check, &checked) }
      checked.isSound = true
    } catch .keyMalformed {
      throw CommandError(.usage, "This is not the key of a log.", hint: "The log's owner gets it from: holdfast log key")
    } catch { checked.fault = error.words }
    return checked
  }
}

extension EntryProof {
  fileprivate func check(with check: ProofCheck, _ checked: inout ProofChecked) throws(ProofCheck.Fault) {
    guard index >= 0, index < .max, let size = UInt64(exactly: size), let hash = Bytes32(base64: leafHash) else {
      throw .otherRoot
    }
    (checked.sequence, checked.size) = (index + 1, self.size)
    let bytes = leaf.map { Base64.decode($0) }
    if case .some(nil) = bytes { throw .otherEntry }
    try check.entry(
      UInt64(index), of: size, leaf: bytes ?? nil, leafHash: hash, path: try hashes(proof), head: checkpoint)
  }
}

extension GrowthProof {
  fileprivate func check(with check: ProofCheck, _ checked: inout ProofChecked) throws(ProofCheck.Fault) {
    guard let old = UInt64(exactly: oldSize), let size = UInt64(exactly: size), let root = Bytes32(base64: oldRoot) else {
      throw .otherRoot
    }
    (checked.from, checked.fromRoot, checked.size) = (oldSize, oldRoot, self.size)
    try check.growth(from: (old, root), to: size, path: try hashes(proof), head: checkpoint)
  }
}

private func hashes(_ texts: [String]) throws(ProofCheck.Fault) -> [Bytes32] {
  let hashes = texts.compactMap { Bytes32(base64: $0) }
  guard hashes.count == texts.count else { throw .otherRoot }
  return hashes
}

extension Bytes32 {
  fileprivate init?(base64 text: String) {
    guard let bytes = Base64.decode(text), let hash = Bytes32(bytes) else { return nil }
    self = hash
  }
}

extension ProofCheck.Fault {
  /// The end of a sentence.
  fileprivate var words: String {
    switch self {
    case .keyMalformed: "the key is not the key of a log"
    case .otherEntry: "the entry is not the one that the proof is about"
    case .otherRoot: "its hashes do not lead to the root that the head names"
    case .headNotSigned: "the head was not signed by this key"
    }
  }
}
