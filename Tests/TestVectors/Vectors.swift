public import Foundation
public import Testing

/// The shared conformance vectors: `HOLDFAST_VECTORS`, else `../shared/vectors` beside the checkout.
///
/// A clone without that folder still tests the values typed in from the standards' own text; suites that need the folder carry
/// the trait `.vectors`, say on standard error that they were left out, and `.ci/run` fails when the folder is missing.
public enum Vectors {
  /// The folder, or nil when there is none.
  public static let folder: String? = {
    let named = ProcessInfo.processInfo.environment["HOLDFAST_VECTORS"]
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let candidate = named ?? root.deletingLastPathComponent().appendingPathComponent("shared/vectors").path
    return FileManager.default.fileExists(atPath: candidate) ? candidate : nil
  }()

  /// The bytes of one file, named from the folder.
  public static func data(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: #require(folder)).appendingPathComponent(path))
  }

  /// One file as text.
  public static func text(_ path: String) throws -> String { String(decoding: try data(path), as: UTF8.self) }

  /// A JSON file as `[String: Any]`, `[Any]`, `String`, `NSNumber`.
  public static func json(_ path: String) throws -> Any { try JSONSerialization.jsonObject(with: data(path)) }

  /// As `json`, for a file whose top level is an object.
  public static func object(_ path: String) throws -> [String: Any] { try #require(try json(path) as? [String: Any]) }

  /// As `json`, for a file whose top level is a list of objects.
  public static func list(_ path: String) throws -> [[String: Any]] { try #require(try json(path) as? [[String: Any]]) }
}

extension Trait where Self == ConditionTrait {
  /// For a suite or test that reads the shared vectors.
  /// - Parameter suite: what is left out when the folder is missing, for the line on standard error.
  public static func vectors(_ suite: String) -> Self {
    if Vectors.folder == nil { FileHandle.standardError.write(Data("skipped, no vectors folder: \(suite)\n".utf8)) }
    return .enabled(if: Vectors.folder != nil, "the shared vectors are not beside this clone")
  }
}

extension Vectors {
  /// A part of a file as JSON text again.
  public static func json(of value: Any?) throws -> Data { try JSONSerialization.data(withJSONObject: #require(value)) }
}
