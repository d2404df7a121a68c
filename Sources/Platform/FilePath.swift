/// Parts of paths, as texts: nothing is looked up.
public enum FilePath {
  /// The folder that holds a path's last part: `.` for a name alone.
  public static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The vault's folder that the environment names: `$HOLDFAST_HOME`, else `$XDG_DATA_HOME/holdfast`, else
  /// `~/.local/share/holdfast`. Empty values count as missing.
  public static func usualHome(_ environment: (String) -> String?) -> String {
    func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    if let path = value("HOLDFAST_HOME") { return path }
    // The XDG base directory specification says that a relative path must be ignored.
    if let data = value("XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/holdfast" }
    return (value("HOME") ?? ".") + "/.local/share/holdfast"
  }
}
