/// Why a passkey was refused. No case contains what the browser sent.
enum PasskeyError: Error, Equatable {
  case credentialMalformed
  case clientDataMalformed
  case authenticatorDataMalformed
  /// An answer to a sign-in where a new passkey was expected, or the reverse.
  case otherPurpose
  case otherOrigin
  case forAnotherHost
  /// Nobody was present, or the device did not verify who.
  case ownerNotVerified
  case challengeUnknown
  case keyOfAnotherKind
  case keyMalformed
  case unknownPasskey
  case signatureWrong
  /// The device's counter went back, so there may be a copy of it.
  case counterWentBack
  case addedAlready
  case tooMany
  case notStored
}
