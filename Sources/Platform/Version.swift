/// This program's version.
package enum Version {
  /// As releases are named.
  package static let text = "0.1.0"
}
