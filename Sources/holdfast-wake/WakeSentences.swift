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
    case .failed:
      "The request could not be answered: its relay could not be reached, did not take the answer, or the vault's disk failed."
    case .locked: "The vault, or the key that the request needs, is locked. To unlock it: holdfast up"
    case .denied: "Your rules did not allow the request at once. It was denied or waits for you: holdfast request list"
    case .notFound: "The relay has no such request any more."
    case .notOurs: "The request is not for an app of this vault."
    case .seen: "A signer or another wake took the request before."
    }
  }
}

extension PushPayloadError {
  var sentence: String {
    switch self {
    case .tooLong(let limit): "The push is longer than \(limit >> 10) KiB."
    case .malformed: "The push is not JSON."
    case .relayMalformed: "The relay is not a ws:// or wss:// address."
    case .eventIDMalformed: "The request's id is not 64 hex digits, or not that of the event."
    case .eventMalformed: "The event in the push is malformed."
    }
  }
}

extension CommandError {
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
