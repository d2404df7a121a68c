import CLinux
import Ciphers
import Encodings
import JSON
import Nostr
import SecretMemory
import Vault

// docs/FORMATS.md describes this file, with a reader in Python.
//
// {"version":1, "algorithm":"AES-256-GCM", "kdf":{"name":"Argon2id", "memory":KiB, "iterations":n, "parallelism":1, "salt":base64},
//  "nonce":base64, "hint":text, "createdAt":seconds, "encrypted":base64 of ciphertext and tag}
//
// Associated data: these lines joined by \n: "holdfast key file", version, algorithm, kdf's name, memory, iterations, parallelism,
// salt, nonce, createdAt, hint, each as it stands in the file.

/// One identity in a file of its own, under a password.
struct KeyFile {
  /// Limits for a file's cost: not less than protects, and not more than this machine should spend on a stranger's file.
  static let mostMemory = 2 << 30
  static let mostPasses = 24
  /// In bytes of UTF-8.
  static let longestHint = 200
  private static let version: Int64 = 1
  private static let algorithm = "AES-256-GCM"
  private static let function = "Argon2id"

  var cost: Argon2id.Cost
  var salt: [UInt8]
  var nonce: [UInt8]
  var hint: String
  /// Seconds since 1970-01-01 UTC.
  var createdAt: Int64
  var sealed: [UInt8] = []

  /// - Throws: `.badKey(.file)` naming the member that is wrong, `.badKey(.costOutOfRange)`.
  init(parsing bytes: UnsafeRawBufferPointer) throws(IdentityError) {
    var parts = Parts()
    var json = try SecretJSON(bytes, .keyFile)
    try json.eachMember { json, key throws(IdentityError) in try parts.take(key, &json) }
    try json.end()
    guard parts.version == Self.version else { throw .badKey(.file(.keyFile, "version")) }
    guard parts.algorithm == Self.algorithm else { throw .badKey(.file(.keyFile, "algorithm")) }
    guard parts.function == Self.function, parts.lanes == 1 else { throw .badKey(.file(.keyFile, "kdf")) }
    guard let salt = parts.salt, salt.count == Argon2id.saltLength else { throw .badKey(.file(.keyFile, "salt")) }
    guard let nonce = parts.nonce, nonce.count == AESGCM.nonceLength else { throw .badKey(.file(.keyFile, "nonce")) }
    guard let createdAt = parts.createdAt else { throw .badKey(.file(.keyFile, "createdAt")) }
    guard Self.isHint(parts.hint) else { throw .badKey(.file(.keyFile, "hint")) }
    guard let sealed = parts.sealed, sealed.count > AESGCM.tagLength else { throw .badKey(.file(.keyFile, "encrypted")) }
    guard let memory = parts.memory, let passes = parts.passes, memory <= Int64(Self.mostMemory >> 10),
      passes <= Int64(Self.mostPasses), memory > 0, let cost = try? Argon2id.Cost(memory: Int(memory) << 10, passes: Int(passes))
    else { throw .badKey(.costOutOfRange(.keyFile)) }
    (self.cost, self.salt, self.nonce, self.createdAt, self.sealed) = (cost, salt, nonce, createdAt, sealed)
    hint = parts.hint
  }

  init(cost: Argon2id.Cost, hint: String, createdAt: Int64) {
    (self.cost, self.hint, self.createdAt) = (cost, hint, createdAt)
    (salt, nonce) = (SystemRandom.bytes(Argon2id.saltLength), SystemRandom.bytes(AESGCM.nonceLength))
  }

  /// One line without characters that a reader would not see.
  static func isHint(_ text: String) -> Bool {
    text.utf8.count <= longestHint
      && text.unicodeScalars.allSatisfy {
        switch $0.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
        default: true
        }
      }
  }

  /// The whole file as text, with a line break at the end.
  var text: [UInt8] {
    let function: JSONValue = [
      "name": .string(Self.function), "memory": .integer(Int64(cost.memory >> 10)), "iterations": .integer(Int64(cost.passes)),
      "parallelism": 1, "salt": .string(Base64.string(salt)),
    ]
    let value: JSONValue = [
      "version": .integer(Self.version), "algorithm": .string(Self.algorithm), "kdf": function,
      "nonce": .string(Base64.string(nonce)), "hint": .string(hint), "createdAt": .integer(createdAt),
      "encrypted": .string(Base64.string(sealed)),
    ]
    return value.serialized() + [0x0a]
  }

  mutating func seal(_ plaintext: borrowing SecretBytes, under password: SecretBox) throws(IdentityError) {
    sealed = try password.withBytes { typed throws(IdentityError) in
      guard let normal = try Self.normal(typed) else { return try sealed(plaintext, under: typed) }
      return try normal.withBytes { bytes throws(IdentityError) in try sealed(plaintext, under: bytes) }
    }
  }

  /// Tries the password in NFKC, then, where that is another, as it was typed: so earlier versions made their files.
  func open(_ password: SecretBox) throws(IdentityError) -> SecretBox {
    try password.withBytes { typed throws(IdentityError) in
      guard let normal = try Self.normal(typed) else { return try open(under: typed) }
      do throws(IdentityError) {
        return try normal.withBytes { bytes throws(IdentityError) in try open(under: bytes) }
      } catch .badKey(.wrongPassword) { return try open(under: typed) }
    }
  }

  private func open(under password: UnsafeRawBufferPointer) throws(IdentityError) -> SecretBox {
    try withKey(password) { key throws in
      try sealed.withUnsafeBytes { SecretBox(try AESGCM.open($0, key: key, nonce: nonce, associated: associated)) }
    }
  }

  private func sealed(
    _ plaintext: borrowing SecretBytes, under password: UnsafeRawBufferPointer
  ) throws(IdentityError) -> [UInt8] {
    try withKey(password) { key throws in
      try plaintext.withBytes { try AESGCM.seal($0, key: key, nonce: nonce, associated: associated) }
    }
  }

  /// The password in NFKC; nil where it is what was typed.
  private static func normal(_ typed: UnsafeRawBufferPointer) throws(IdentityError) -> SecretBytes? {
    try vaultStep { () throws(VaultError) in try NormalPassphrase.differing(from: typed) }
  }

  private func withKey<Result>(
    _ password: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws(IdentityError) -> Result {
    defer { holdfast_give_memory_back() }  // what the password function took
    return try keyStep(.badKey(.wrongPassword)) {
      let key = try Argon2id.key(password: password, salt: salt, cost: cost, count: 32)
      return try key.withBytes(body)
    }
  }

  private var associated: [UInt8] {
    let lines = [
      "holdfast key file", "\(Self.version)", Self.algorithm, Self.function, "\(cost.memory >> 10)", "\(cost.passes)", "1",
      Base64.string(salt), Base64.string(nonce), "\(createdAt)", hint,
    ]
    return Array(lines.joined(separator: "\n").utf8)
  }
}

extension KeyFile {
  /// The members as they were found.
  private struct Parts {
    var version, memory, passes, lanes, createdAt: Int64?
    var algorithm, function: String?
    var salt, nonce, sealed: [UInt8]?
    var hint = ""

    mutating func take(_ key: JSONText, _ json: inout SecretJSON) throws(IdentityError) -> Bool {
      if key.is("version") {
        version = try json.integer()
      } else if key.is("algorithm") {
        algorithm = try json.text()
      } else if key.is("nonce") {
        nonce = try json.text().flatMap { Base64.decode($0) }
      } else if key.is("hint") {
        hint = try json.text() ?? ""
      } else if key.is("createdAt") {
        createdAt = try json.integer()
      } else if key.is("encrypted") {
        sealed = try json.text().flatMap { Base64.decode($0) }
      } else if key.is("kdf") {
        var (function, salt): (String?, [UInt8]?)
        var (memory, passes, lanes): (Int64?, Int64?, Int64?)
        try json.eachMember { json, key throws(IdentityError) in
          if key.is("name") {
            function = try json.text()
          } else if key.is("memory") {
            memory = try json.integer()
          } else if key.is("iterations") {
            passes = try json.integer()
          } else if key.is("parallelism") {
            lanes = try json.integer()
          } else if key.is("salt") {
            salt = try json.text().flatMap { Base64.decode($0) }
          } else {
            return false
          }
          return true
        }
        (self.function, self.salt, self.memory, self.passes, self.lanes) = (function, salt, memory, passes, lanes)
      } else {
        return false
      }
      return true
    }
  }
}
