internal import Nostr

/// What a kind of event is called.
struct KindName {
  /// For a table: "note".
  let name: String
  /// What signing one does: "Sign a note".
  let title: String
  /// More than one of them: "notes".
  let many: String

  private init(_ name: String, _ title: String, _ many: String) { (self.name, self.title, self.many) = (name, title, many) }

  /// The name of a kind; an unknown one is called by its number.
  init(_ kind: Int) {
    self = Self.known[kind] ?? KindName("kind \(kind)", "Sign an event of kind \(kind)", "events of kind \(kind)")
  }

  static func isKnown(_ kind: Int) -> Bool { known[kind] != nil }

  private static let known: [Int: KindName] = [
    0: KindName("profile", "Change your profile", "profile changes"),
    1: KindName("note", "Sign a note", "notes"),
    3: KindName("follow list", "Change who you follow", "changes of your follow list"),
    4: KindName("old direct message", "Send a direct message (old kind)", "old direct messages"),
    5: KindName("deletion", "Ask relays to delete what you published", "deletions"),
    6: KindName("repost", "Repost a note", "reposts"),
    7: KindName("reaction", "Sign a reaction", "reactions"),
    8: KindName("badge award", "Award a badge", "badge awards"),
    9: KindName("chat message", "Sign a chat message", "chat messages"),
    11: KindName("thread", "Start a thread", "threads"),
    13: KindName("seal", "Seal a private message", "seals"),
    14: KindName("direct message", "Sign a direct message", "direct messages"),
    15: KindName("direct file message", "Sign a file message", "file messages"),
    16: KindName("repost", "Repost an event", "reposts"),
    20: KindName("picture", "Publish a picture", "pictures"),
    21: KindName("video", "Publish a video", "videos"),
    22: KindName("short video", "Publish a short video", "short videos"),
    42: KindName("channel message", "Sign a channel message", "channel messages"),
    1018: KindName("poll answer", "Answer a poll", "poll answers"),
    1059: KindName("gift wrap", "Wrap a private message", "gift wraps"),
    1063: KindName("file", "Publish a file's description", "files"),
    1068: KindName("poll", "Start a poll", "polls"),
    1111: KindName("comment", "Sign a comment", "comments"),
    1311: KindName("live chat message", "Sign a live chat message", "live chat messages"),
    1984: KindName("report", "Report someone or something", "reports"),
    7374: KindName("cashu quote", "Change your cashu wallet (quote)", "cashu quotes"),
    7375: KindName("cashu tokens", "Change your cashu wallet (tokens)", "cashu token records"),
    7376: KindName("cashu history", "Change your cashu wallet (history)", "cashu history records"),
    8041: KindName("key succession", "Name a key that succeeds yours", "key successions"),
    9321: KindName("nutzap", "Send cashu tokens to someone", "nutzaps"),
    9734: KindName("zap request", "Ask to pay someone (zap)", "zap requests"),
    9735: KindName("zap receipt", "Sign a zap receipt", "zap receipts"),
    9802: KindName("highlight", "Sign a highlight", "highlights"),
    10000: KindName("mute list", "Change whom you mute", "changes of your mute list"),
    10001: KindName("pinned notes", "Change your pinned notes", "changes of your pinned notes"),
    10002: KindName("relay list", "Change your relays", "changes of your relays"),
    10003: KindName("bookmarks", "Change your bookmarks", "changes of your bookmarks"),
    10006: KindName("blocked relays", "Change the relays you block", "changes of blocked relays"),
    10007: KindName("search relays", "Change your search relays", "changes of search relays"),
    10009: KindName("groups", "Change the groups you are in", "changes of your groups"),
    10015: KindName("interests", "Change your interests", "changes of your interests"),
    10019: KindName("nutzap settings", "Change how you receive cashu tokens", "changes of nutzap settings"),
    10030: KindName("emoji list", "Change your emoji", "changes of your emoji"),
    10050: KindName("message relays", "Change where messages reach you", "changes of message relays"),
    10063: KindName("file servers", "Change your file servers", "changes of file servers"),
    13194: KindName("wallet service", "Announce a wallet service", "wallet announcements"),
    17375: KindName("cashu wallet", "Change your cashu wallet", "changes of your cashu wallet"),
    22242: KindName("relay login", "Log in to a relay", "relay logins"),
    23194: KindName("wallet request", "Send an order to a wallet", "wallet requests"),
    24133: KindName("remote signing", "Sign a remote-signing message", "remote-signing messages"),
    24242: KindName("file server login", "Log in to a file server", "file server logins"),
    27235: KindName("web login", "Log in to a web site", "web logins"),
    30000: KindName("follow set", "Change a list of people", "changes of lists of people"),
    30002: KindName("relay set", "Change a set of relays", "changes of relay sets"),
    30003: KindName("bookmark set", "Change a set of bookmarks", "changes of bookmark sets"),
    30008: KindName("profile badges", "Change the badges you show", "changes of your badges"),
    30023: KindName("article", "Publish an article", "articles"),
    30024: KindName("article draft", "Save an article's draft", "article drafts"),
    30078: KindName("app data", "Save an app's data", "records of app data"),
    30311: KindName("live event", "Announce a live event", "live events"),
    30315: KindName("status", "Change your status", "status changes"),
    30402: KindName("classified listing", "Offer something for sale", "listings"),
    31922: KindName("calendar day", "Publish a calendar day", "calendar days"),
    31923: KindName("calendar event", "Publish a calendar event", "calendar events"),
    31925: KindName("event answer", "Answer an invitation", "answers to invitations"),
    34550: KindName("community", "Change a community", "changes of communities"),
  ]
}
