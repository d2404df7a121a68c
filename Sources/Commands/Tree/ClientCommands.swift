extension Command {
  private static let whichClient = Argument("client", "Its name, public key (hex or npub), or the key's first 4 or more digits")
  private static let whichPermission = Argument(
    "permission", "A method as NIP-46 writes it: sign_event:1, nip44_encrypt, …")

  static let client = Command(
    "client", "Paired apps: list, trust, allow, deny, revoke",
    verbs: [
      Command("list", "List the paired apps"),
      Command("show", "Show one app and what it may do", arguments: [whichClient]),
      Command(
        "rename", "Give an app another name",
        arguments: [whichClient, Argument("name", "The new name")]),
      Command(
        "trust", "Set how far an app is trusted", discussion: "\(SharedOptions.trustMeaning).",
        arguments: [whichClient, Argument("trust", "full, medium or low", completion: .words(SharedOptions.trustLevels))],
        examples: [Example("holdfast client trust amethyst low", "ask me about everything it wants")]),
      Command(
        "allow", "Always allow one kind of request", arguments: [whichClient, whichPermission],
        examples: [Example("holdfast client allow amethyst sign_event:1", "let it post notes without asking")]),
      Command("deny", "Always refuse one kind of request", arguments: [whichClient, whichPermission]),
      Command(
        "revoke", "End a pairing", discussion: "The app can no longer ask for anything; it has to pair again.",
        arguments: [whichClient], options: [SharedOptions.yes]),
    ])
}
