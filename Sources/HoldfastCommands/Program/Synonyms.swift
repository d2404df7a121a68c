import CommandLine
import ResponseTexts

/// Words of other programs for nouns and verbs of this one: `id` for `identity`, `ls` for `list`.
enum Synonyms {
  private static let nouns = [
    "id": "identity", "ids": "identity", "key": "identity", "account": "identity", "app": "client", "kit": "recovery",
    "req": "request", "rule": "policy",
  ]

  /// Words that mean the same, and the verbs that do it, the usual one first.
  private static let verbs: [(words: Set<String>, verbs: [String])] = [
    (["ls", "list", "all"], ["list", "show"]),
    (["show", "info", "get", "view", "cat"], ["show", "list"]),
    (["new", "create", "add", "make", "generate"], ["create", "add"]),
    (["rm", "remove", "delete", "del", "erase", "revoke", "unpair"], ["remove", "delete", "revoke", "deny"]),
    (["mv", "move", "rename"], ["rename"]), (["edit", "change", "update", "modify"], ["set"]),
    (["restore", "load"], ["restore", "import"]), (["check", "test"], ["verify", "check", "test"]),
  ]

  /// The noun that a word means, as its singular, its plural or another word; nil for none.
  static func noun(_ word: String, in root: Command) -> Command? {
    let singular = [word, String(word.dropLast()), String(word.dropLast(3)) + "y"]
    let forms = word.hasSuffix("ies") ? singular : word.hasSuffix("s") ? Array(singular.prefix(2)) : [word]
    return forms.lazy.compactMap { root.verb(named: nouns[$0] ?? $0) }.first { !$0.verbs.isEmpty }
  }

  /// The verb of a noun that a word means; nil if it has none.
  static func verb(_ word: String, of noun: Command) -> String? {
    if let same = noun.verb(named: word) { return same.name }
    let meant = verbs.filter { $0.words.contains(word) }.flatMap(\.verbs)
    return meant.first { noun.verb(named: $0) != nil }
  }

  /// The command that a noun and a word after it mean: an app is added by pairing it.
  static func command(_ noun: Command, _ word: String) -> String? {
    if noun.name == "client", ["new", "create", "add", "make"].contains(word) { return "pair" }
    return verb(word, of: noun).map { "\(noun.name) \($0)" }
  }
}
