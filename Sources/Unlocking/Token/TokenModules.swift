import CToken
import Platform
import Vault

/// The drivers of one operation. They are loaded for it and unloaded afterwards, so that no module stays in the process with an
/// open session.
///
/// They run in this process, which must therefore hold no keys: see `ModuleProcess`.
struct TokenModules: ~Copyable {
  /// The most modules of a configuration. Further ones are ignored.
  private static let limit = 64

  private enum Source {
    case one(UnsafeMutablePointer<CK_FUNCTION_LIST>)
    case configured(UnsafeMutablePointer<UnsafeMutablePointer<CK_FUNCTION_LIST>?>)
  }

  private let source: Source
  private let library: TokenLibrary

  /// - Parameter path: of one module; nil for all in p11-kit's configuration.
  init(path: String?) throws(KeyStoreError) {
    guard let library = TokenLibrary.shared else { throw .notPresent("p11-kit") }
    let source = try Self.load(path, library)
    self.library = library
    self.source = source
  }

  private static func load(_ path: String?, _ library: TokenLibrary) throws(KeyStoreError) -> Source {
    guard let path else {
      guard let list = library.functions.modules_load_and_initialize(0) else {
        throw .deviceFailed("loading the modules", code: 0)
      }
      return .configured(list)
    }
    guard path.utf8.count <= ModuleFile.maximumLength, !path.utf8.contains(0), let module = library.functions.module_load(path, 0)
    else { throw .notPresent("the token's module") }
    let status = library.functions.module_initialize(module)
    guard status == CK_RV(CKR_OK) else {
      library.functions.module_release(module)
      throw KeyStoreError(token: status, "starting the module")
    }
    return .one(module)
  }

  deinit {
    switch source {
    case .one(let module):
      _ = library.functions.module_finalize(module)
      library.functions.module_release(module)
    case .configured(let list): library.functions.modules_finalize_and_release(list)
    }
  }

  /// Every matching token that is present, initialised and has a PIN.
  /// - Parameter uri: nil for any.
  borrowing func tokens(_ uri: TokenURI?) throws(KeyStoreError) -> [Token] {
    var found: [Token] = []
    for module in all {
      for token in Self.tokens(of: module) {
        // An RFC 7512 URI without attributes would match a token of certificates, too.
        guard token.info.flags & CK_FLAGS(CKF_TOKEN_INITIALIZED) != 0, token.info.flags & CK_FLAGS(CKF_LOGIN_REQUIRED) != 0 else {
          continue
        }
        if let uri, try !uri.fits(token.info) { continue }
        found.append(token)
      }
    }
    return found
  }

  /// The number of the drivers' slots, with or without a token.
  var slotCount: Int { all.reduce(0) { $0 + Self.slots(of: $1, withTokenOnly: false).count } }

  /// The path of a token's driver; nil when p11-kit does not report it.
  borrowing func path(of token: Token) -> String? {
    guard let name = library.functions.module_get_filename(token.module) else { return nil }
    defer { free(name) }
    return String(cString: name)
  }

  private var all: [UnsafeMutablePointer<CK_FUNCTION_LIST>] {
    switch source {
    case .one(let module): return [module]
    case .configured(let list):
      var modules: [UnsafeMutablePointer<CK_FUNCTION_LIST>] = []
      while modules.count < Self.limit, let next = list[modules.count] { modules.append(next) }
      return modules
    }
  }

  /// The tokens of a module. A module that cannot list them counts as empty.
  private static func tokens(of module: UnsafeMutablePointer<CK_FUNCTION_LIST>) -> [Token] {
    slots(of: module, withTokenOnly: true).compactMap { slot in
      var info = CK_TOKEN_INFO()
      guard module.pointee.C_GetTokenInfo?(slot, &info) == CK_RV(CKR_OK) else { return nil }
      return Token(module: module, slot: slot, info: info)
    }
  }

  private static func slots(of module: UnsafeMutablePointer<CK_FUNCTION_LIST>, withTokenOnly: Bool) -> [CK_SLOT_ID] {
    var slots = [CK_SLOT_ID](repeating: 0, count: limit)
    var count = CK_ULONG(slots.count)
    let which = CK_BBOOL(withTokenOnly ? CK_TRUE : CK_FALSE)
    guard let list = module.pointee.C_GetSlotList, list(which, &slots, &count) == CK_RV(CKR_OK) else { return [] }
    return Array(slots.prefix(min(Int(clamping: count), limit)))
  }
}

/// One token in a reader. It must not outlive its modules.
struct Token {
  let module: UnsafeMutablePointer<CK_FUNCTION_LIST>
  let slot: CK_SLOT_ID
  let info: CK_TOKEN_INFO

  /// Whether the token supports the mechanism.
  func can(_ mechanism: CK_MECHANISM_TYPE, _ flag: CK_FLAGS, bits: CK_ULONG) -> Bool {
    var info = CK_MECHANISM_INFO()
    guard module.pointee.C_GetMechanismInfo?(slot, mechanism, &info) == CK_RV(CKR_OK) else { return false }
    // Some modules report no sizes.
    let fits = info.ulMaxKeySize == 0 || (info.ulMinKeySize <= bits && bits <= info.ulMaxKeySize)
    return info.flags & flag != 0 && fits
  }
}
