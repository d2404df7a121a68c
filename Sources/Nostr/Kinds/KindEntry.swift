/// One line of the table of kinds.
public struct KindEntry: Sendable {
  /// The kinds it is about, mostly one.
  public let kinds: ClosedRange<Int>
  /// What signing one does.
  public let effect: KindEffect
  /// How careful the rules are with it.
  public let care: KindCare
  /// For a table: "note".
  public let name: String
  /// What signing one does, as a heading: "Sign a note".
  public let title: String
  /// More than one of them: "notes".
  public let many: String

  init(
    _ kinds: ClosedRange<Int>, _ effect: KindEffect, _ care: KindCare, _ name: String, _ title: String, _ many: String
  ) {
    (self.kinds, self.effect, self.care) = (kinds, effect, care)
    (self.name, self.title, self.many) = (name, title, many)
  }

  /// The line for a kind that no table knows: called by its number, asked under medium trust.
  init(unknown kind: Int) {
    self.init(
      kind...kind, .unknown, .guarded, "kind \(kind)", "Sign an event of kind \(kind)", "events of kind \(kind)")
  }
}

extension KindEntry {
  static func post(
    _ kind: Int, _ name: String, _ title: String? = nil, _ many: String? = nil, care: KindCare = .usual
  ) -> KindEntry { posts(kind...kind, name, title, many, care: care) }

  static func posts(
    _ kinds: ClosedRange<Int>, _ name: String, _ title: String? = nil, _ many: String? = nil, care: KindCare = .usual
  ) -> KindEntry {
    KindEntry(kinds, .ordinary, care, name, title ?? "Publish: \(name)", many ?? "\(name)s")
  }

  static func list(
    _ kind: Int, _ name: String, _ title: String? = nil, _ many: String? = nil, care: KindCare = .usual
  ) -> KindEntry {
    KindEntry(kind...kind, .list, care, name, title ?? "Change your \(name)", many ?? "changes of your \(name)")
  }

  static func profile(_ kind: Int, _ name: String, _ title: String? = nil, _ many: String? = nil) -> KindEntry {
    profiles(kind...kind, name, title, many)
  }

  static func profiles(
    _ kinds: ClosedRange<Int>, _ name: String, _ title: String? = nil, _ many: String? = nil
  ) -> KindEntry {
    KindEntry(kinds, .profile, .guarded, name, title ?? "Change your \(name)", many ?? "changes of your \(name)")
  }

  static func login(_ kind: Int, _ name: String, _ title: String) -> KindEntry {
    KindEntry(kind...kind, .login, .byPlace, name, title, "\(name)s")
  }

  static func money(_ kind: Int, _ name: String, _ title: String, _ many: String) -> KindEntry {
    KindEntry(kind...kind, .money, .dayAtMost, name, title, many)
  }

  static func destruction(
    _ kind: Int, _ name: String, _ title: String, _ many: String, care: KindCare = .guarded
  ) -> KindEntry { KindEntry(kind...kind, .destruction, care, name, title, many) }

  static func keyHandling(_ kind: Int, _ name: String, _ title: String, _ many: String, care: KindCare) -> KindEntry {
    KindEntry(kind...kind, .keyHandling, care, name, title, many)
  }
}
