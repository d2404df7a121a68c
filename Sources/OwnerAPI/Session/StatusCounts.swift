// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import JSON

/// How many requests of one method got which decision.
public struct MethodCounts: Fields {
  public var method = RequestMethod.other
  public var allowed: Int64 = 0
  public var asked: Int64 = 0
  public var denied: Int64 = 0
  public var inError: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.word("method", &method, "The method, as in NIP-46.")
    try fields.integer("allow", &allowed, "How many were allowed.")
    try fields.integer("ask", &asked, "How many were asked.")
    try fields.integer("deny", &denied, "How many were denied.")
    try fields.integer("error", &inError, "How many were malformed, of an unknown method, or had a wrong link secret.")
  }
}

/// The distribution of durations. Each is a number with three decimals, in the unit of the member's name.
public struct Spread: Fields {
  public var count: Int64 = 0
  /// Nil when there were none.
  public var mean: JSONValue?
  /// Nil when it is above the longest measured duration, and when there were none. So are the next two.
  public var half: JSONValue?
  public var nineTenths: JSONValue?
  public var ninetyNineOf100: JSONValue?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("count", &count, "How many there were.")
    try fields.json("mean", &mean, "Their mean, a number with three decimals; null when there were none.")
    try fields.json("p50", &half, "Half of them are below this number; null when it is beyond what is measured.")
    try fields.json("p90", &nineTenths, "Nine tenths of them are below this number; null when it is beyond what is measured.")
    try fields.json("p99", &ninetyNineOf100, "99 of 100 are below this number; null when it is beyond what is measured.")
  }
}

/// The connections of the signer's port, and those that were closed or refused.
public struct ConnectionCounts: Fields {
  public var open: Int64 = 0
  public var limit: Int64 = 0
  public var closedForOthers: Int64 = 0
  public var refused: Int64 = 0
  public var closedUnfinished: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("open", &open, "The number of open connections.")
    try fields.integer("limit", &limit, "The most connections.")
    try fields.integer("pushed_out", &closedForOthers, "How many were closed to make room for others.")
    try fields.integer("turned_away", &refused, "How many were refused because no place was free.")
    try fields.integer("unfinished", &closedUnfinished, "How many were closed because they had too many unfinished messages.")
  }
}
