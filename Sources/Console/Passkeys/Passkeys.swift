import SecretMemory

/// The passkeys of this vault. The owner of this value stores them.
struct Passkeys {
  /// More than a person has devices.
  static let most = 32

  private(set) var all: [Passkey]
  var challenges = PasskeyChallenges()

  init(_ stored: [Passkey]) { all = stored }

  /// The passkeys that a browser at this address can use.
  func at(_ origin: ConsoleOrigin) -> [Passkey] { all.filter { $0.party == origin.host } }

  /// The same for all passkeys of the vault, so that an authenticator replaces its passkey instead of adding another.
  func userHandle() -> [UInt8] { all.first?.userHandle ?? SystemRandom.bytes(32) }

  /// Checks whether a new passkey may be added.
  func mayAdd(_ passkey: Passkey) throws(PasskeyError) {
    guard !all.contains(where: { $0.credentialID == passkey.credentialID }) else { throw .addedAlready }
    guard all.count < Self.most else { throw .tooMany }
  }

  func has(_ credentialID: [UInt8]) -> Bool { all.contains { $0.credentialID == credentialID } }

  mutating func add(_ passkey: Passkey) {
    if !all.contains(where: { $0.credentialID == passkey.credentialID }) { all.append(passkey) }
  }

  mutating func remove(_ listID: String) -> Passkey? {
    guard let index = all.firstIndex(where: { $0.listID == listID }) else { return nil }
    return all.remove(at: index)
  }

  /// The passkey that signed.
  /// - Parameter isNamed: whether the request listed the accepted passkeys. A device may then leave out the user handle (section
  ///   7.2, step 6).
  func find(_ signed: SignedChallenge, at origin: ConsoleOrigin, isNamed: Bool) throws(PasskeyError) -> Passkey {
    guard let passkey = at(origin).first(where: { $0.credentialID == signed.credentialID }),
      signed.userHandle == passkey.userHandle || (isNamed && signed.userHandle == nil)
    else { throw .unknownPasskey }
    return passkey
  }

  /// Counts a valid signature. If two passkeys show the same count at one time, one of them is a copy.
  mutating func used(_ passkey: Passkey, count: UInt32, now: Int64) throws(PasskeyError) -> Passkey {
    guard let index = all.firstIndex(where: { $0.credentialID == passkey.credentialID }) else { throw .unknownPasskey }
    let known = all[index].count
    guard (known == 0 && count == 0) || count > known else { throw .counterWentBack }
    all[index].count = count
    all[index].lastUsed = now
    return all[index]
  }
}
