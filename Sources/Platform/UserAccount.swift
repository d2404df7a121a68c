/// The account that this process runs under.
public enum UserAccount {
  /// Its name in the system's user database; nil when it has none.
  public static var name: String? {
    withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) { space in
      var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
      let start = space.baseAddress?.assumingMemoryBound(to: CChar.self)
      guard start.map({ getpwuid_r(geteuid(), &entry, $0, space.count, &found) }) == 0, found != nil, let name = entry.pw_name
      else { return nil }
      return String(cString: name)
    }
  }
}
