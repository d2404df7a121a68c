import Foundation

/// Where the cases of each file lie that some test reads. All lists of a file together have as many cases as the manifest says.
public enum VectorLists {
  /// File to lists. A list is a way through objects: `v2.valid.encrypt_decrypt`; `[]` goes into each object of a list; the empty way is
  /// the whole file. A way that ends at an object is one case.
  public static let all: [String: [String]] = [
    "bech32/bip173.json": ["valid_strings", "invalid_strings", "valid_addresses", "invalid_addresses"],
    "bech32/bip350.json": ["valid_strings", "invalid_strings", "valid_addresses", "invalid_addresses"],
    "bip143/vectors.json": ["examples[].signatures"],
    "bip32/vectors.json": ["valid[].chains", "invalid"],
    "bip340/generated.json": ["cases"],
    "bip341/wallet-test-vectors.json": ["scriptPubKey", "keyPathSpending[].inputSpending"],
    "bip39/vectors.json": ["*"],
    "bip84-86/vectors.json": ["bip84.derived", "bip86.derived", "bip49_testnet"],
    "ethereum/eip1559.json": ["cases"],
    "ethereum/eip191.json": ["cases"],
    "ethereum/eip2930.json": ["cases"],
    "ethereum/eip712.json": ["cases", "eip_examples"],
    "ethereum/legacy-eip155.json": ["cases", "eip_examples"],
    "jose/vectors.json": ["vectors"],
    "nip01/events.json": ["cases"],
    "nip06/vectors.json": ["vectors"],
    "nip19/generated.json": ["cases"],
    "nip19/vectors.json": ["valid"],
    "nip44/nip44.vectors.json": [
      "v2.valid.get_conversation_key", "v2.valid.get_message_keys.keys", "v2.valid.calc_padded_len", "v2.valid.encrypt_decrypt",
      "v2.valid.encrypt_decrypt_long_msg", "v2.invalid.encrypt_msg_lengths", "v2.invalid.get_conversation_key",
      "v2.invalid.decrypt",
    ],
    "nip46/samples.json": ["cases", "broken_envelopes"],
    "nip46/uris.json": ["bunker_valid", "bunker_invalid", "nostrconnect_valid", "nostrconnect_invalid"],
    "nip49/generated.json": ["cases"],
    "nip49/vectors.json": ["password_normalization", "decrypt"],
    "nip98/vectors.json": ["cases"],
    "rfc6979/p256.json": ["cases"],
    "rfc6979/secp256k1.json": ["cases"],
    "rfc8291/web-push.json": [""],
    "slip39/vectors.json": [""],
    "webauthn/vectors.json": ["vectors"],
  ]
}

/// The folder is not as its manifest says, in words.
public struct VectorFault: Error, CustomStringConvertible {
  /// What is wrong with which file.
  public let description: String
}

extension Vectors {
  /// All cases of one list of a file, once the file was found to have as many cases as the manifest says.
  ///
  /// A case that is an object takes over the texts and numbers of the objects around it: a chain has its set's seed.
  /// - Parameters:
  ///   - path: from the folder; a key of `VectorLists.all`.
  ///   - list: one of the file's lists.
  /// - Throws: when the numbers differ, there is no case, or a case is of another type.
  public static func cases<Case>(_ path: String, _ list: String, as: Case.Type = [String: Any].self) throws -> [Case] {
    let lists = VectorLists.all[path] ?? []
    try require(lists.contains(list), "VectorLists has no list \(list) of \(path)")
    let file = try json(path)
    let counted = try lists.map { try self.values(file, $0).count }.reduce(0, +)
    try checkCount(of: path, counted)
    let values = try self.values(file, list)
    try require(!values.isEmpty, "\(path) has no cases in \(list)")
    return try values.map { try unwrap($0 as? Case, "a case of \(path), \(list), is not \(Case.self)") }
  }

  /// The lines of a text file, one case each, once they were counted against the manifest.
  /// - Parameter headings: how many lines at the beginning are none.
  public static func lines(_ path: String, headings: Int = 0) throws -> [String] {
    let lines = try text(path).split(whereSeparator: \.isNewline).dropFirst(headings).map(String.init)
    try checkCount(of: path, lines.count)
    return lines
  }

  /// - Throws: unless the manifest gives a file exactly this number of cases, and it is not zero.
  static func checkCount(of path: String, _ counted: Int) throws {
    let expected = try manifest().count(path)
    try require(counted == expected && counted > 0, "\(path) has \(counted) cases, and the manifest says \(expected)")
  }

  private static func values(_ file: Any, _ list: String) throws -> [Any] {
    var found: [Any] = [file]
    for name in list.split(separator: ".") {
      found = try found.flatMap { try step($0, String(name)) }
    }
    return found.flatMap { $0 as? [Any] ?? [$0] }
  }

  /// One name of the way: what lies under it, in one object or in each object of a list. A star is any name.
  private static func step(_ value: Any, _ name: String) throws -> [Any] {
    let object = try unwrap(value as? [String: Any], "\(name) is to be in an object")
    if name == "*" { return object.keys.sorted().compactMap { object[$0] } }
    let goesInto = name.hasSuffix("[]")
    let inner = try unwrap(object[goesInto ? String(name.dropLast(2)) : name], "there is no \(name)")
    let found = goesInto ? try unwrap(inner as? [Any], "\(name) is to be a list") : [inner]
    return found.map { inherit($0, from: object) }
  }

  static func require(_ condition: Bool, _ sentence: String) throws(VectorFault) {
    guard condition else { throw VectorFault(description: sentence) }
  }

  private static func unwrap<Value>(_ value: Value?, _ sentence: String) throws(VectorFault) -> Value {
    guard let value else { throw VectorFault(description: sentence) }
    return value
  }

  private static func inherit(_ value: Any, from outer: [String: Any]) -> Any {
    let shared = outer.filter { $0.value is String || $0.value is NSNumber }
    if let object = value as? [String: Any] { return object.merging(shared) { own, _ in own } }
    if let list = value as? [[String: Any]] { return list.map { $0.merging(shared) { own, _ in own } } }
    return value
  }
}
