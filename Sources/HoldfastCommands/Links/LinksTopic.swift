import CommandLine

extension HelpTopic {
  /// `holdfast help links`
  static let links = HelpTopic(
    "links", "How sites and apps ask for signatures by links",
    text: """
      A site or an app opens a link that says what to sign and where the answer goes. You are asked when answers would go to a place \
      for the first time; after that, the trust of that place and your rules decide. 'holdfast links install' lets this desktop \
      open such links, 'holdfast open' answers one, 'holdfast local list' shows the places. docs/LINKS.md explains the parameters, \
      and what a link proves and what it does not.
      """,
    listTitle: "Links",
    list: [
      Example("keyfob://sign?payload=…&cb=https://…", "a signature; holdfast:// means the same"),
      Example("keyfob://pubkey?cb=https://…", "the public key"),
      Example("http://127.0.0.1:24133/app/sign?…", "the same over HTTP, on the signer's machine"),
      Example("nostrsigner:…?type=sign_event&callbackUrl=…", "the web form of NIP-55"),
    ])
}
