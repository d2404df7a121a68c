/// The version of this Holdfast, by semver.org.
public enum HoldfastVersion {
  /// `major.minor.patch`.
  public static let current = "0.1.0"
}
