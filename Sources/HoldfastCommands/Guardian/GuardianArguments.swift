import CommandLine

/// What several commands of `holdfast guardian` have in common.
enum GuardianArguments {
  static let npub = Argument("npub", "The guardian's public key")
  static let shareRequest = Argument("id", "The request, as 'guardian requests' names it")
  static let relays = CommandOption.repeated(
    "relay", "URL", "A relay where the guardian's Holdfast listens; may be given several times (else the signer's own)")
}

extension Noun {
  static let guardian = Noun(
    "guardian", "People who keep a share for you, and shares you keep for others",
    discussion: """
      A guardian's own Holdfast keeps one share of your kit. It is handed over as a sealed Nostr message (NIP-59). Whoever asks for \
      it, you on a new machine or a thief, has to wait, and your old Holdfast hears of it and can stop it. The guardian says yes only \
      after he has spoken to you. Experimental: other programs do not know these messages.

      Both need a running signer with a common relay: holdfast up --relay wss://…
      """,
    commands: [
      GuardianAddCommand.self, GuardianListCommand.self, GuardianCodeCommand.self, GuardianAcceptCommand.self,
      GuardianRemoveCommand.self, GuardianListenCommand.self, GuardianOpenCommand.self, GuardianHeldCommand.self,
      GuardianRequestsCommand.self, GuardianReleaseCommand.self, GuardianRefuseCommand.self, GuardianCancelCommand.self,
      GuardianAskCommand.self, GuardianAskedCommand.self,
    ])
}
