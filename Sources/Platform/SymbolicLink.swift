/// Symbolic links, among them those by which `/proc` names the files of a process.
public enum SymbolicLink {
  /// Where a link leads, without following what that leads to.
  /// - Returns: nil for what is no link, one of more than `PATH_MAX` bytes, and a target that is not UTF-8.
  public static func target(of path: String) -> String? {
    var space = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink(path, &space, space.count - 1)
    guard count > 0, count < space.count - 1 else { return nil }
    return String(validating: space[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
