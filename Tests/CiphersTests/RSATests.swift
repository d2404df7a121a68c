import Ciphers
import SecretMemory
import Testing

@Suite struct RSATests {
  /// Odd, with the highest bit set. No product of two primes, which nobody can tell when encrypting.
  private func modulus(bits: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xA5, count: bits / 8)
    bytes[0] = 0x80
    return bytes
  }

  @Test("An RSA ciphertext is as long as the key and never the same twice", arguments: [2048, 3072, 4096])
  func boxIsAsLongAsTheModulusAndNeverTheSame(bits: Int) throws {
    let message = [UInt8](repeating: 7, count: 32)
    func box() throws -> [UInt8] {
      try message.withUnsafeBytes { try RSAOAEP.encrypt($0, modulus: [0] + modulus(bits: bits), exponent: [0, 1, 0, 1]) }
    }
    let (first, second) = (try box(), try box())
    #expect(first.count == bits / 8 && first != second)
  }

  @Test("RSA keys of unsuitable size or exponent are refused") func shortLongAndEmptyKeysAreRefused() {
    let message = [UInt8](repeating: 7, count: 32)
    func fault(_ modulus: [UInt8], _ exponent: [UInt8]) -> CipherError? {
      do {
        _ = try message.withUnsafeBytes { try RSAOAEP.encrypt($0, modulus: modulus, exponent: exponent) }
        return nil
      } catch { return error as? CipherError }
    }
    #expect(fault([], [1, 0, 1]) == .wrongLength(expected: 256, got: 0))
    for bits in [1024, 2040, 4104, 8192] {
      #expect(fault(modulus(bits: bits), [1, 0, 1]) == .wrongLength(expected: 256, got: bits / 8))
    }
    for exponent: [UInt8] in [[], [0], [1], [3], [17], [1, 0, 0], [1, 0, 0, 0, 1]] {
      #expect(fault(modulus(bits: 2048), exponent) == .keyOutOfRange)
    }
  }

  @Test("A message that is too long for the RSA key is refused") func aMessageThatDoesNotFitIsRefused() {
    let message = [UInt8](repeating: 7, count: 256 - 65)
    #expect(throws: CipherError.library("RSA-OAEP")) {
      try message.withUnsafeBytes { try RSAOAEP.encrypt($0, modulus: modulus(bits: 2048), exponent: [1, 0, 1]) }
    }
  }
}
