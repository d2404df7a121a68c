/// Why a passkey was not taken. None carries what the browser sent.
enum PasskeyError: Error, Equatable {
  case credentialMalformed
  case clientDataMalformed
  case authenticatorDataMalformed
  /// An answer to a sign-in where a new passkey was asked for, or the other way round.
  case otherPurpose
  case otherOrigin
  case forAnotherHost
  /// Nobody was there, or the device did not check who.
  case ownerNotVerified
  case challengeUnknown
  case keyOfAnotherKind
  case keyMalformed
  case unknownPasskey
  case signatureWrong
  /// The device's counter went back: there may be a copy of it.
  case counterWentBack
  case addedAlready
  case tooMany
  case notStored
}
