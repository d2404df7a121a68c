import Foundation
import Testing

@testable import ObjectStorage

@Suite struct FolderStoreTests {
  private final class Folder {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-transfers-\(UUID().uuidString)").path
    init() throws { try FileManager.default.createDirectory(atPath: path + "/to", withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
    var store: FolderStore { FolderStore(path + "/to") }

    func source(_ bytes: [UInt8]) throws -> String {
      try Data(bytes).write(to: URL(fileURLWithPath: path + "/source"))
      return path + "/source"
    }

    func read(_ name: String) throws -> [UInt8] {
      var bytes: [UInt8] = []
      try store.get(name, TransferControl()) { piece in
        bytes += piece
        return true
      }
      return bytes
    }
  }

  @Test("A file that appears while another of the same name is written is not overwritten") func aFileThatComesMeanwhileStays()
    throws
  {
    let folder = try Folder()
    let place = folder.path + "/to/a.hfb"
    let control = TransferControl(progress: { _, _ in _ = FileManager.default.createFile(atPath: place, contents: Data([7])) })
    #expect(throws: ObjectStorageError.exists) { try folder.store.put(folder.source([1, 2]), as: "a.hfb", control) }
    #expect(try folder.read("a.hfb") == [7])
    #expect(try folder.store.list(TransferControl()).map(\.name) == ["a.hfb"])
  }

  @Test("A file can be stored, listed, read and deleted") func aFileComesAndGoes() throws {
    let folder = try Folder()
    let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0) }
    try folder.store.put(folder.source(bytes), as: "a.hfb", TransferControl())
    #expect(try folder.store.list(TransferControl()) == [StoredFile(name: "a.hfb", size: 600_000)])
    #expect(try folder.read("a.hfb") == bytes)
    #expect(throws: ObjectStorageError.exists) { try folder.store.put(folder.source([1]), as: "a.hfb", TransferControl()) }
    #expect(try folder.read("a.hfb") == bytes)
    try folder.store.delete("a.hfb", TransferControl())
    try folder.store.delete("a.hfb", TransferControl())
    #expect(throws: ObjectStorageError.notFound) { try folder.read("a.hfb") }
  }

  @Test("A small file is replaced as a whole") func aSmallFileIsReplacedWhole() throws {
    let folder = try Folder()
    for bytes in [[1, 2, 3], [4]] as [[UInt8]] {
      try folder.store.replace("list", with: bytes, TransferControl())
      #expect(try folder.read("list") == bytes)
    }
  }

  @Test("A cancelled transfer leaves no file") func whatIsCancelledLeavesNothing() throws {
    let folder = try Folder()
    #expect(throws: ObjectStorageError.cancelled) {
      try folder.store.put(folder.source([1]), as: "a", TransferControl(isCancelled: { true }))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/to").isEmpty)
  }

  @Test("A missing folder is reported and not created") func aFolderThatIsNotThereIsNotMade() throws {
    let folder = try Folder()
    let store = FolderStore(folder.path + "/nowhere")
    #expect(throws: ObjectStorageError.notFound) { try store.list(TransferControl()) }
    #expect(throws: ObjectStorageError.notFound) { try store.put(folder.source([1]), as: "a", TransferControl()) }
  }

  @Test("Links and subfolders are not listed") func linksAndFoldersAreNotListed() throws {
    let folder = try Folder()
    try FileManager.default.createDirectory(atPath: folder.path + "/to/sub", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/to/link", withDestinationPath: "/etc/passwd")
    #expect(try folder.store.list(TransferControl()).isEmpty)
    #expect(throws: ObjectStorageError.self) { try folder.read("link") }
  }
}
