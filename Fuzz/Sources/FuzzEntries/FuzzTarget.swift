/// One thing to fuzz: a name, which is also the name of its folders under `Seeds` and `FailCases`, and the code that takes the bytes.
public struct FuzzTarget: Sendable {
  /// Lower case, for `HOLDFAST_FUZZ_TARGET` and for folders.
  public let name: String
  /// Feeds one input. Any input at all is fine; what is wrong with it is not the target's fault.
  /// - Throws: `FuzzFault` when a property does not hold. A trap is a finding, too.
  public let run: @Sendable (UnsafeRawBufferPointer) throws(FuzzFault) -> Void

  init(_ name: String, _ run: @escaping @Sendable (UnsafeRawBufferPointer) throws(FuzzFault) -> Void) {
    (self.name, self.run) = (name, run)
  }

  /// Feeds one input from an array.
  public func run(_ bytes: [UInt8]) throws(FuzzFault) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(FuzzFault) in try run(UnsafeRawBufferPointer(bytes)) }
  }

  /// The target of that name.
  public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// A property that did not hold, in words.
public struct FuzzFault: Error, CustomStringConvertible {
  /// What should have been so.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// - Throws: `FuzzFault` with the sentence unless the condition holds.
func require(_ condition: @autoclosure () -> Bool, _ sentence: @autoclosure () -> String) throws(FuzzFault) {
  guard condition() else { throw FuzzFault(sentence()) }
}

/// What `body` gives when it must not throw.
func unfailing<R: ~Copyable, E: Error>(_ sentence: String, _ body: () throws(E) -> R) throws(FuzzFault) -> R {
  do throws(E) { return try body() } catch { throw FuzzFault("\(sentence): \(error)") }
}
