/// A line for the operator.
package struct Remark: Sendable, Hashable {
  /// How much it matters, as syslog counts it.
  package enum Priority: Int, Sendable { case warning = 4, information = 6 }

  package let text: String
  package let priority: Priority

  private init(_ text: String, _ priority: Priority) { (self.text, self.priority) = (text, priority) }

  /// Something does not work, or may be meant otherwise.
  package static func trouble(_ text: String) -> Remark { Remark(text, .warning) }

  /// Something works again, or changes as it should.
  package static func news(_ text: String) -> Remark { Remark(text, .information) }
}
