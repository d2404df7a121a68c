/// What people call a site.
public enum CallerName {
  /// The most bytes of a name.
  public static let longest = 64
  private static let mark = "…"

  /// The host, at most 64 bytes. Its end says who owns the site, so a long one is cut at its beginning, which "…" marks.
  public static func of(host: String) -> String { ending(host, limit: longest) }

  /// The end of a host, marked as cut if it is.
  /// - Parameter limit: in bytes.
  public static func ending(_ host: String, limit: Int) -> String {
    let shown = ShownText.clean(host, limit: WebOrigin.longest)
    guard shown.utf8.count > limit else { return shown }
    return mark + String(decoding: shown.utf8.suffix(limit - mark.utf8.count), as: UTF8.self)
  }
}
