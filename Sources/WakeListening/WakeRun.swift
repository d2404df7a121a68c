package import Encodings

/// How one wake ended.
package struct WakeRun: Sendable {
  /// The request's id.
  package let request: Bytes32
  /// The exit code of `holdfast-wake`; nil when it did not start, was killed, or took too long.
  package let exit: Int32?
  /// What `holdfast-wake` said of it, one of its words; nil when it said nothing that can be read.
  package let outcome: String?
  /// Whether no further attempt follows.
  package let isOver: Bool
}
