import CommandLine
import Daemon
import OwnerAPI
import Platform
import QRCodes
import SecretMemory
import TerminalUI

/// The folder for the pages of a kit. Only the owner can read it, and nothing in it is overwritten.
struct PageFolder {
  private static let ownerOnly: mode_t = 0o700
  private static let ownersFile: mode_t = 0o600
  private let path: String

  /// Makes the folder, or uses an existing one.
  init(_ path: String) throws(CommandError) {
    self.path = path
    if mkdir(path, Self.ownerOnly) == 0 { return }
    guard errno == EEXIST else {
      throw CommandError(.failed, "The folder \(printable(path)) could not be made: \(systemMessage(errno)).")
    }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, access(path, W_OK | X_OK) == 0 else {
      throw CommandError(.failed, "The folder \(printable(path)) cannot be written.", hint: "Name another folder with --out.")
    }
    guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw CommandError(
        .failed, "Other users can read \(printable(path)), where the shares would be.",
        hint: "Name a new folder, or make this one private: chmod 700 FOLDER")
    }
  }

  /// Writes a page for each share: all of them or none.
  /// - Returns: the pages' paths.
  func write(_ made: RecoveryCreate.Response) throws(CommandError) -> [String] {
    let page = SharePage(kit: made.kit)
    var written: [String] = []
    for (index, share) in made.shares.enumerated() {
      guard let place = page.place(of: index) else { continue }
      let file = path + "/" + page.fileName(of: place)
      do throws(CommandError) {
        try write(page, place, share, to: file)
        written.append(file)
      } catch {
        for file in written { unlink(file) }
        throw error
      }
    }
    return written
  }

  private func write(_ page: SharePage, _ place: SharePage.Place, _ share: SecretBox, to file: String) throws(CommandError) {
    guard let words = try? share.duplicate(), let code = try? words.withBytes({ try QRCode(bytes: $0) }) else {
      throw CommandError(.failed, "There is not enough memory for a page.")
    }
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, Self.ownersFile)
    guard descriptor >= 0 else { throw Self.fault(file, errno) }
    var failure: Int32 = 0
    page.write(place, words: words, code: code) { piece in
      var rest = piece[...]
      while failure == 0, !rest.isEmpty {
        let count = Platform.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { failure = errno } else { rest = rest.dropFirst(count) }
      }
    }
    if failure == 0, fsync(descriptor) != 0 { failure = errno }
    close(descriptor)
    guard failure == 0 else {
      unlink(file)
      throw Self.fault(file, failure)
    }
  }

  private static func fault(_ file: String, _ code: Int32) -> CommandError {
    CommandError(
      .failed, "The page \(printable(file)) could not be written: \(systemMessage(code)).",
      hint: "No kit was made. Name another folder with --out.")
  }

  /// The text after all pages were written.
  func text(_ made: RecoveryCreate.Response) -> String {
    let kit = made.kit.summary
    return """
      Kit \(kit.id): \(KitText.needed(kit)) restore \
      \(kit.npub == nil ? "this vault" : shown(kit.restores)). \(made.shares.count) pages are in \(printable(path)).

      Next: test them (holdfast recovery test \(printable(path))/holdfast-kit-\(kit.id)-*.html), open each in a browser and print it, \
      then wipe the files: shred -u \(printable(path))/holdfast-kit-\(kit.id)-*.html
      Give the pages to people or places that you will not lose together. Test what is on paper by typing the words: holdfast recovery test
      """
  }
}
