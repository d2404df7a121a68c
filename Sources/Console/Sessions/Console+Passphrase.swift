import JSON
import OwnerAPI
import Platform

/// Signing in with the vault's passphrase.
///
/// Only a browser of the signer's own user on this machine may do so, as the kernel says: programs of that user could try passphrases at the
/// control socket anyway. So nobody in the network, and no other user of the machine, gets to guess.
extension Console {
  /// Called on a worker. Says whether the page may ask for the passphrase, and to the owner's own browser which folder commands are to name.
  func passphraseOptions(_ call: Call) -> CallReply {
    guard acceptsPassphrase(call) else { return .done(["accepted": false]) }
    return .done(["accepted": true, "home": options.unusualHome.map { .string($0) } ?? .null])
  }

  private func acceptsPassphrase(_ call: Call) -> Bool { mayGivePassphrase(call) && !hasTooManyWrong }

  private func mayGivePassphrase(_ call: Call) -> Bool { call.isOfOwnersProcess && hooks.hasPassphrase() }

  private var hasTooManyWrong: Bool { state.withLock { $0.wrongPassphrases >= Self.mostWrong } }

  /// After so many wrong passphrases, without those that came too soon to be tried, the page asks for none until somebody signs in otherwise: a program that only reaches the console would
  /// else keep the owner from unlocking, and lock everything down.
  static let mostWrong = 5

  /// Called on a worker. A wrong passphrase counts, makes the next attempt wait and is recorded by the operation that tries it. The right one
  /// unlocks a locked signer in the same step. A lockdown stays: only `resume` ends it.
  func signInByPassphrase(_ call: Call, _ given: ControlRequest, _ answer: @escaping @Sendable (CallReply) -> Void) {
    guard mayGivePassphrase(call) else { return answer(.noPassphraseHere) }
    guard !hasTooManyWrong else { return answer(.noMorePassphrases) }
    guard let passphrase = given.secrets[Self.passphrase] else { return answer(.malformed("“passphrase” is missing")) }
    let unlocks = hooks.isLocked() && !hooks.isLockedDown()
    let operation = unlocks ? SignerUnlock.properties.name : SessionProve.properties.name
    var request = ControlRequest(operation, secrets: [Self.passphrase: passphrase])
    request.isSignIn = true
    hooks.perform(request) { [self] outcome in
      guard case .success = outcome else { return answer(refused(outcome)) }
      let reply = signIn(call, by: .passphrase, hooks.now())
      answer(unlocks ? reply.saying(outcome) : reply)
    }
  }

  private func refused(_ outcome: ControlResponse) -> CallReply {
    if case .failure(_, _, _, .some, _, isTooSoon: false) = outcome { state.withLock { $0.wrongPassphrases += 1 } }
    return CallReply(200, outcome)
  }

  /// The secret with the vault's passphrase.
  private static let passphrase = "passphrase"
}

extension CallReply {
  static let noPassphraseHere = refused(
    403, exit: 4,
    "Only a browser that the signer's own user runs on its machine, or uses through an SSH tunnel, can sign in with the passphrase.",
    hint: signInLink)
  static let noMorePassphrases = refused(
    403, exit: 4, "Five passphrases were wrong, so this page takes none until you have signed in in another way.",
    hint: signInLink)
  private static let signInLink = "Print a sign-in link with: holdfast console"
}
