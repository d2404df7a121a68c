// In one operation a name of the credential has another meaning as well.
extension Credential {
  /// Names the owner's credential for an operation whose `shares` is a number. Visited after that number.
  mutating func visitBesideShares(_ fields: FieldVisitor) throws(FieldError) {
    try visitUsual(fields)
    try fields.textOrTrue("token", &token, "The token, as a pkcs11: URI; true or nothing for the one that the vault knows.")
    try fields.text("module", &module, "The token's driver: a path on the signer's machine. Not accepted from a browser.")
    try fields.secretBeside("shares", &shares, "The shares of an existing recovery kit, one per line.")
  }

  private mutating func visitUsual(_ fields: FieldVisitor) throws(FieldError) {
    try fields.secret("passphrase", &passphrase, "The vault's passphrase.")
    try fields.secret("pin", &pin, "The PIN of a token that the vault knows.")
    try fields.flag(
      "keyring", &keyring,
      "Open the vault with the desktop's keyring. It opens only keys of the class after-first-unlock, and is not a proof.")
    try fields.text("credential", &credential, "A passkey's credential id, in base64url.")
    try fields.secret("prf", &prf, "The 32-byte output of this passkey's PRF.")
    try fields.secret("recovery_code", &recoveryCode, "The kit's recovery code.")
    try fields.secret("login", &login, "Your login password, if PAM asks for it before a token or keyring.")
  }
}
