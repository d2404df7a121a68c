import Foundation
import Testing

/// The program's heap: a child with `CWipingHeap` linked in does what an argument says, on the main heap and on a thread's.
@Suite(.enabled(if: HeapDummy.isBuilt, "HeapDummy is built with the whole package only")) struct HeapWipingTests {
  @Test("A freed block is wiped", arguments: [false, true])
  func freedBlocksAreEmpty(inThread: Bool) throws {
    #expect(try HeapDummy.end(of: "leaves-nothing", inThread: inThread) == .init(code: 0))
  }

  @Test("A reallocated block leaves no copy behind", arguments: [false, true])
  func movedBlocksLeaveNoCopy(inThread: Bool) throws {
    #expect(try HeapDummy.end(of: "moves-without-a-copy", inThread: inThread) == .init(code: 0))
  }

  @Test("Freeing an untouched gigabyte uses no memory", arguments: [false, true])
  func untouchedMemoryStaysUntouched(inThread: Bool) throws {
    #expect(try HeapDummy.end(of: "touches-nothing", inThread: inThread) == .init(code: 0))
  }

  @Test("A block that grows to 256 MiB in steps is remapped, not copied", arguments: [false, true])
  func largeBlocksGrowWithoutCopies(inThread: Bool) throws {
    #expect(try HeapDummy.end(of: "grows", inThread: inThread) == .init(code: 0))
  }

  @Test(
    "A block that is freed twice ends the process",
    arguments: [
      "twice-in-the-cache", "twice-later-in-the-cache", "twice-in-a-fast-bin", "twice-in-a-bin", "twice-a-large-one",
      "a-wrong-address",
    ], [false, true])
  func doubleFreesAbort(wish: String, inThread: Bool) throws {
    let end = try HeapDummy.end(of: wish, inThread: inThread)
    #expect(end.signal == SIGABRT)
    #expect(end.said.contains("double free") || end.said.contains("invalid pointer"))
  }

  /// The last block's memory has become the heap's free end, where reading it can fault before anything is checked.
  @Test("Freeing the last block twice also aborts the process", arguments: [false, true])
  func doubleFreesAtTheEndOfTheHeap(inThread: Bool) throws {
    #expect([SIGABRT, SIGSEGV].contains(try HeapDummy.end(of: "twice-the-last", inThread: inThread).signal))
  }
}

private enum HeapDummy {
  static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(
    "HeapDummy")
  static var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: program.path) }

  struct End: Equatable {
    var code: Int32?
    var signal: Int32?
    var said = ""
  }

  static func end(of wish: String, inThread: Bool) throws -> End {
    let (process, errors) = (Process(), Pipe())
    process.executableURL = program
    process.arguments = [wish] + (inThread ? ["in a thread"] : [])
    process.standardError = errors
    try process.run()
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let hasCrashed = process.terminationReason == .uncaughtSignal
    return End(
      code: hasCrashed ? nil : process.terminationStatus, signal: hasCrashed ? process.terminationStatus : nil, said: said)
  }
}
