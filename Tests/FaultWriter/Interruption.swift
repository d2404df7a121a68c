import Platform

/// Ends this process, as a kill would, at the n-th call that changes the disk. The calls are taken in the place of the C library's,
/// SQLite's included.
enum Interruption {
  /// Calls still to come before the end; the program has one thread.
  nonisolated(unsafe) static var left = Int.max  // one thread

  /// Counts one call.
  /// - Returns: whether this is the one that is not done.
  static func isNow() -> Bool {
    guard left != Int.max else { return false }
    left -= 1
    return left == 0
  }

  static func end() -> Never {
    kill(getpid(), SIGKILL)
    while true { pause() }
  }

  /// The C library's own function.
  static func real<Function>(_ name: StaticString, _: Function.Type) -> Function {
    let next = UnsafeMutableRawPointer(bitPattern: -1)  // RTLD_NEXT, a cast that Swift does not import
    let name = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    guard let found = dlsym(next, name) else { abort() }
    return unsafeBitCast(found, to: Function.self)
  }
}

private typealias OfFile = @convention(c) (Int32) -> Int32
private typealias OfPath = @convention(c) (UnsafePointer<CChar>) -> Int32
private typealias OfPaths = @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
private typealias OfLength = @convention(c) (Int32, Int) -> Int32
private typealias OfBytes = @convention(c) (Int32, UnsafeRawPointer, Int) -> Int
private typealias OfPlace = @convention(c) (Int32, UnsafeRawPointer, Int, Int) -> Int

@_cdecl("fsync") func interruptedSync(_ file: Int32) -> Int32 {
  if Interruption.isNow() { Interruption.end() }
  return Interruption.real("fsync", OfFile.self)(file)
}

@_cdecl("fdatasync") func interruptedDataSync(_ file: Int32) -> Int32 {
  if Interruption.isNow() { Interruption.end() }
  return Interruption.real("fdatasync", OfFile.self)(file)
}

@_cdecl("rename") func interruptedRename(_ from: UnsafePointer<CChar>, _ to: UnsafePointer<CChar>) -> Int32 {
  if Interruption.isNow() { Interruption.end() }
  return Interruption.real("rename", OfPaths.self)(from, to)
}

@_cdecl("unlink") func interruptedUnlink(_ path: UnsafePointer<CChar>) -> Int32 {
  if Interruption.isNow() { Interruption.end() }
  return Interruption.real("unlink", OfPath.self)(path)
}

@_cdecl("ftruncate64") func interruptedTruncation(_ file: Int32, _ length: Int) -> Int32 {
  if Interruption.isNow() { Interruption.end() }
  return Interruption.real("ftruncate64", OfLength.self)(file, length)
}

/// The write that is interrupted is done by half.
@_cdecl("write") func interruptedWrite(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  let write = Interruption.real("write", OfBytes.self)
  guard Interruption.isNow() else { return write(file, bytes, count) }
  _ = write(file, bytes, count / 2)
  Interruption.end()
}

@_cdecl("pwrite64") func interruptedPlacedWrite(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int, _ place: Int) -> Int {
  let write = Interruption.real("pwrite64", OfPlace.self)
  guard Interruption.isNow() else { return write(file, bytes, count, place) }
  _ = write(file, bytes, count / 2, place)
  Interruption.end()
}
