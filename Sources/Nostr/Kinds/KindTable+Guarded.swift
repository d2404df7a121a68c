/// What needs more care: logins, money, deleting, the key itself, and data that only its app understands.
extension KindTable {
  static let guarded: [KindEntry] = [
    .login(22242, "relay login", "Log in to a relay"),
    .login(24242, "file server login", "Log in to a file server"),
    .login(27235, "web login", "Log in to a website"),

    .money(1021, "bid", "Bid in an auction", "bids"),
    .money(1022, "bid confirmation", "Confirm a bid", "bid confirmations"),
    .money(2022, "coinjoin pool", "Offer a coinjoin pool", "coinjoin pools"),
    .money(7374, "cashu quote", "Change your cashu wallet (quote)", "cashu quotes"),
    .money(7375, "cashu tokens", "Change your cashu wallet (tokens)", "cashu token records"),
    .money(7376, "cashu history", "Change your cashu wallet (history)", "cashu history records"),
    .money(9321, "nutzap", "Send cashu tokens to someone", "nutzaps"),
    .money(9735, "zap receipt", "Sign a zap receipt", "zap receipts"),
    .money(10019, "nutzap settings", "Change how you receive cashu tokens", "changes of nutzap settings"),
    .money(10133, "payment targets", "Change where payments to you go", "changes of payment targets"),
    .money(13194, "wallet service", "Announce a wallet service", "wallet announcements"),
    .money(17375, "cashu wallet", "Change your cashu wallet", "changes of your cashu wallet"),
    .money(21000, "wallet order", "Send an order to a wallet (Lightning.Pub)", "wallet orders"),
    .money(23194, "wallet request", "Send a request to a wallet", "wallet requests"),
    .money(23195, "wallet answer", "Answer as a wallet", "wallet answers"),
    .money(23196, "old wallet notice", "Send a notice as a wallet (old kind)", "wallet notices"),
    .money(23197, "wallet notice", "Send a notice as a wallet", "wallet notices"),
    .money(37375, "old cashu wallet", "Change your cashu wallet (old kind)", "changes of your cashu wallet"),
    .money(38383, "trade offer", "Offer to trade money", "trade offers"),

    .destruction(5, "deletion", "Ask relays to delete posts", "deletions"),
    .destruction(
      62, "request to vanish", "Send a request to vanish, which erases all you published", "requests to vanish", care: .eachTime
    ),
    .destruction(8001, "removed relay member", "Remove a member of a relay", "removals of relay members"),
    .destruction(9001, "removed group member", "Remove someone from a group", "removals from groups"),
    .destruction(9005, "deletion in a group", "Delete an event of a group", "deletions in groups"),
    .destruction(9008, "deleted group", "Delete a group", "deletions of groups"),
    .post(8000, "new relay member", "Add a member to a relay", care: .guarded),
    .post(9000, "group member", "Add someone to a group, or change what they may do", care: .guarded),
    .post(9002, "group settings", "Change a group's settings", "changes of group settings", care: .guarded),
    .post(9009, "group invitation", "Invite people to a group", care: .guarded),
    .posts(9010...9020, "group control", "Control a group", "group controls", care: .guarded),
    .posts(9003...9004, "group control", "Control a group", "group controls", care: .guarded),
    .post(9006, "group control", "Control a group", "group controls", care: .guarded),
    .posts(9023...9030, "group control", "Control a group", "group controls", care: .guarded),

    .keyHandling(443, "key package", "Let others invite you to private groups", "key packages", care: .guarded),
    .keyHandling(444, "group welcome", "Welcome someone to a private group", "group welcomes", care: .guarded),
    .keyHandling(445, "private group event", "Sign an event of a private group", "private group events", care: .guarded),
    .keyHandling(8041, "key succession", "Name a key that succeeds yours", "key successions", care: .eachTime),
    .keyHandling(24133, "remote signing", "Sign a remote-signing message", "remote-signing messages", care: .eachTime),

    .post(78, "record of an app", "Save something that an app keeps on relays", "records of apps", care: .guarded),
    .post(30078, "app settings", "Save settings that an app keeps on relays", "settings of apps", care: .guarded),
  ]
}
