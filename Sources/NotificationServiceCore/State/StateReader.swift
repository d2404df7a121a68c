import Curve
import Encodings
import RemoteSigning
import SecretMemory

/// Reads a state's plaintext where it lies, in secret memory: no secret key is copied elsewhere.
struct StateReader {
  private var rest: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

  /// - Returns: nil for bytes that no state has.
  mutating func state() throws(ExtensionError) -> (state: ExtensionState, journal: Bytes32)? {
    guard let revision: UInt64 = number(), let writtenAt: Int64 = number(), let journal = bytes32(), let raw: UInt8 = number()
    else { return nil }
    let flags = StateFlags(rawValue: raw)
    guard StateFlags.all.isSuperset(of: flags) else { return nil }
    var state = ExtensionState(revision: revision, writtenAt: writtenAt)
    (state.isSuspended, state.acceptsNIP04) = (flags.contains(.suspended), flags.contains(.nip04))
    while !rest.isEmpty {
      guard let code: UInt8 = number(), let kind = StateField(rawValue: code), let length: UInt32 = number(),
        let bytes = take(Int(length)), Self.read(kind, StateReader(bytes), into: &state)
      else { return nil }
    }
    return (state, journal)
  }

  // MARK: fields

  private static func read(_ kind: StateField, _ field: StateReader, into state: inout ExtensionState) -> Bool {
    var field = field
    switch kind {
    case .identity: return append(field.identity(), to: &state.identities)
    case .pairing:
      return append(field.keyed({ try? Pairing(record: $0) }, named: \.remoteSigner), to: &state.pairings)
    case .link: return append(field.keyed({ try? OpenLink(record: $0) }, named: \.remoteSigner), to: &state.links)
    case .ended:
      return append(field.keyed({ try? EndedPairing(record: $0) }, named: \.remoteSigner), to: &state.ended)
    case .settings: return set(try? PolicySettings(record: field.array()), &state.settings)
    case .ownersRelay: return append(RelayURL(String(decoding: field.rest, as: UTF8.self)), to: &state.ownersRelays)
    case .usage:
      guard let key = field.bytes32(), let read = try? Usage.read(field.array()) else { return false }
      return state.usage.updateValue(read.usage, forKey: PublicKey(key)) == nil
    case .signed:
      guard let id = field.bytes32(), let signed = try? SignedCoordinate(record: field.array()) else { return false }
      return state.signed.updateValue(signed, forKey: id) == nil
    case .waiting: return append(try? PendingRequest(record: field.array()), to: &state.waiting)
    case .seen: return field.seen(into: &state.seen)
    }
  }

  private static func append<Value>(_ value: Value?, to list: inout [Value]) -> Bool {
    guard let value else { return false }
    list.append(value)
    return true
  }

  private static func set<Value>(_ value: Value?, _ place: inout Value) -> Bool {
    guard let value else { return false }
    place = value
    return true
  }

  private mutating func identity() -> ExtensionState.Identity? {
    guard let key = bytes32().map({ PublicKey($0) }), let code: UInt8 = number(), let secret = take(32),
      let name = String(validating: rest, as: UTF8.self), let hold = Self.hold(code, secret)
    else { return nil }
    if case .open(let pair) = hold, pair.publicKey != key { return nil }
    return .init(name: name, publicKey: key, hold: hold)
  }

  private static func hold(_ code: UInt8, _ secret: UnsafeRawBufferPointer) -> ExtensionState.Hold? {
    switch code {
    case 0: pair(secret).map { .open($0) }
    case 1: .locked
    case 2: .presence
    case 3: .retired
    default: nil
    }
  }

  private static func pair(_ secret: UnsafeRawBufferPointer) -> KeyPair? {
    guard let bytes = try? SecretBytes(copying: secret), let key = try? SecretKey(bytes) else { return nil }
    return try? KeyPair(key)
  }

  /// A secret key and a record that names its public one.
  private mutating func keyed<Value: Sendable>(
    _ read: ([UInt8]) -> Value?, named: (Value) -> PublicKey
  ) -> ExtensionState.Keyed<Value>? {
    guard let secret = take(32), let signer = Self.pair(secret), let value = read(array()), named(value) == signer.publicKey
    else { return nil }
    return .init(value, signer: signer)
  }

  private mutating func seen(into list: inout [ExtensionState.SeenRequest]) -> Bool {
    while !rest.isEmpty {
      guard let id = bytes32(), let createdAt: Int64 = number() else { return false }
      list.append(.init(id: id, createdAt: createdAt))
    }
    return true
  }

  // MARK: bytes

  private func array() -> [UInt8] { [UInt8](rest) }

  private mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
    return UnsafeRawBufferPointer(rebasing: rest[..<count])
  }

  private mutating func bytes32() -> Bytes32? { take(32).flatMap { Bytes32(copying: $0) } }

  private mutating func number<Number: FixedWidthInteger>() -> Number? {
    take(MemoryLayout<Number>.size).map { Number(bigEndian: $0.loadUnaligned(as: Number.self)) }
  }
}
