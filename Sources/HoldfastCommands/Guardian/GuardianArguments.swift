import CommandLine

/// What several commands of `holdfast guardian` have in common.
enum GuardianArguments {
  static let npub = Argument("npub", "The guardian's public key")
  static let shareRequest = Argument("id", "The request's name, as 'guardian requests' shows it")
  static let relays = CommandOption.repeated(
    "relay", "URL", "A relay where the guardian's Holdfast listens; may be given several times (default: the signer's relays)")
}

extension Noun {
  static let guardian = Noun(
    "guardian", "People who keep a share for you, and shares that you keep for others",
    discussion: """
      A guardian's own Holdfast keeps one share of your kit. You send it as an encrypted Nostr message (NIP-59). Anybody who \
      asks for it back, you on a new machine or a thief, has to wait. Your old Holdfast is notified and can stop the request. \
      Guardians should agree only after they have spoken to you. Experimental: other programs do not know these messages.

      Your signer and the guardian's must both run and share a relay: holdfast up --relay wss://…
      """,
    commands: [
      GuardianAddCommand.self, GuardianListCommand.self, GuardianCodeCommand.self, GuardianAcceptCommand.self,
      GuardianRemoveCommand.self, GuardianListenCommand.self, GuardianOpenCommand.self, GuardianHeldCommand.self,
      GuardianRequestsCommand.self, GuardianReleaseCommand.self, GuardianRefuseCommand.self, GuardianCancelCommand.self,
      GuardianAskCommand.self, GuardianAskedCommand.self,
    ])
}
