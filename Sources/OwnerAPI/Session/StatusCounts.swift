// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import JSON

/// How many requests of one method were decided in which way.
public struct MethodCounts: Fields {
  public var method = RequestMethod.other
  public var allowed: Int64 = 0
  public var asked: Int64 = 0
  public var denied: Int64 = 0
  public var inError: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.word("method", &method, "The method, as NIP-46 names it.")
    try fields.integer("allow", &allowed, "How many were allowed.")
    try fields.integer("ask", &asked, "How many the owner was asked about.")
    try fields.integer("deny", &denied, "How many were denied.")
    try fields.integer("error", &inError, "How many were malformed, of an unknown method, or with a link's wrong secret.")
  }
}

/// How times are spread. Each is a number with three decimals, in the unit that the member's name says.
public struct Spread: Fields {
  public var count: Int64 = 0
  /// Nil when there were none.
  public var mean: JSONValue?
  /// Nil beyond the longest time that is told apart, and when there were none; so are the next two.
  public var half: JSONValue?
  public var nineTenths: JSONValue?
  public var ninetyNineOf100: JSONValue?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("count", &count, "How many there were.")
    try fields.json("mean", &mean, "Their mean, a number with three decimals; null when there were none.")
    try fields.json("p50", &half, "Half of them lie below this number; null when it is beyond what is measured.")
    try fields.json("p90", &nineTenths, "Nine tenths of them lie below this number; null when it is beyond what is measured.")
    try fields.json("p99", &ninetyNineOf100, "99 of 100 of them lie below this number; null when it is beyond what is measured.")
  }
}

/// Connections of the signer's port, and what became of those that there was no room for.
public struct ConnectionCounts: Fields {
  public var open: Int64 = 0
  public var limit: Int64 = 0
  public var closedForOthers: Int64 = 0
  public var turnedAway: Int64 = 0
  public var closedUnfinished: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("open", &open, "How many are open.")
    try fields.integer("limit", &limit, "The most that are taken.")
    try fields.integer("pushed_out", &closedForOthers, "How many were closed to make room for others.")
    try fields.integer("turned_away", &turnedAway, "How many found no room.")
    try fields.integer("unfinished", &closedUnfinished, "How many were closed because too much of messages was unfinished.")
  }
}
