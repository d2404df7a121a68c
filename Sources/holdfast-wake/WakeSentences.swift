import CommandLine
import Platform
import RemoteSigning
import Signer
import Sockets
import TerminalUI
import Vault
import Wake

extension WakeOutcome {
  /// What happened, for people.
  var sentence: String {
    switch self {
    case .signed: "The request is answered."
    case .handedOver: "A signer runs on this vault and has the request."
    case .unreachable: "The relay could not be reached, so the app has no answer. Check the network and the relay."
    case .notTaken: "No relay confirmed the answer, so the app may not have it. A relay may take events only from those it knows."
    case .notRecorded:
      "The vault's log could not be written, so the request was not answered. The disk may be full: holdfast doctor"
    case .failed: "The request was allowed, but could not be carried out. To see it: holdfast log show"
    case .timedOut: "There was no time left to answer the request."
    case .dropped(let reason): "The request was not answered: \(reason.rawValue)."
    case .inDoubt:
      "The signer did not end properly, so no request is answered until you unlock the vault once: holdfast up, then Ctrl-C"
    case .locked: "The vault, or the key that the request needs, is locked. To unlock it: holdfast up"
    case .denied: "Your rules did not allow the request at once. It was denied or waits for you: holdfast request list"
    case .notFound: "The relay has no such request any more."
    case .notOurs: "The request is not for an app of this vault."
    case .relayUnknown:
      "No app of this vault that the request can be for uses its relay, so nothing was done there. To see an app's relays: holdfast client show APP"
    case .seen: "A signer or another wake took the request before."
    }
  }
}

extension PushPayloadError {
  var sentence: String {
    switch self {
    case .tooLong(let limit): "The push is longer than \(limit >> 10) KiB."
    case .malformed: "The push is not JSON, or too much of it."
    case .relayMissing: "The push names no relay: it has no “relay_url”."
    case .eventMissing: "The push names no request: it has neither “event_id” nor “event”."
    case .relayMalformed: "The relay is not a ws:// or wss:// address."
    case .eventIDMalformed: "The request's id is not 64 hex digits, or not that of the event."
    case .eventMalformed: "The event in the push is malformed."
    }
  }
}

extension CommandError {
  /// What is wrong with a push.
  init(payload error: PushPayloadError) {
    self.init(
      .usage, error.sentence,
      hint: #"A push looks like this: {"relay_url":"wss://relay.example.com","event_id":"64 hex digits"}"#)
  }

  /// Why the vault did not open.
  init(opening error: any Error) {
    if let process = VaultHolder.process(error) {
      self.init(.failed, "Process \(process) has this vault open, and did not take the request.", hint: "Try again.")
      return
    }
    switch error {
    case SignerError.notOpened(let why): self = Self.notOpened(why.error)
    case SocketError.outOfResources: self.init(.failed, "There is no memory or file descriptor left.")
    default: self.init(.failed, "The vault could not be opened.", hint: "To see why: holdfast doctor")
    }
  }

  private static func notOpened(_ error: KeyStoreError) -> CommandError {
    switch error {
    case .vault(.noSuchSlot):
      CommandError(
        .locked, "The vault has no keyring slot, so a wake cannot open it.",
        hint: "To make one: holdfast slot add keyring. On a server without a desktop, add: --out FILE")
    case .itemNotFound where WakeKey.isCredential:
      CommandError(
        .locked, "The systemd credential \(WakeKey.credentialName) opens no slot of this vault.",
        hint: "It may be of another vault or of a slot that was removed. To make another: holdfast slot add keyring --out FILE")
    case .itemNotFound:
      CommandError(.locked, "The keyring has no key of this vault.", hint: "To make one: holdfast slot add keyring")
    case .notPresent, .interactionNotAllowed:
      CommandError(
        .locked, "The keyring is locked, or there is none.",
        hint: "On a desktop, log in. On a server, start this from a unit with the credential \(WakeKey.credentialName).")
    case .vault(.noVault): CommandError(.notFound, "There is no vault.")
    default: CommandError(.locked, "The keyring slot does not open this vault.", hint: "To see the slots: holdfast slot list")
    }
  }
}

/// Who keeps a vault from being opened.
enum VaultHolder {
  /// The process that has the vault open; nil for an error with another reason.
  static func process(_ error: any Error) -> Int32? {
    switch error {
    case SignerError.vault(.inUse(let process)): process
    case SignerError.notOpened(let why): if case .vault(.inUse(let process)) = why.error { process } else { nil }
    default: nil
    }
  }
}
