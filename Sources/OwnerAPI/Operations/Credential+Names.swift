// In one operation a name of the credential means something else as well.
extension Credential {
  /// Names what shows the owner, for an operation whose `shares` is a number. Visited after that number.
  mutating func visitBesideShares(_ fields: FieldVisitor) throws(FieldError) {
    try visitUsual(fields)
    try fields.textOrTrue("token", &token, "Which token, as a pkcs11: URI; true or nothing for the one that the vault knows.")
    try fields.text("module", &module, "The token's driver: a path on the signer's machine. Not taken from a browser.")
    try fields.secretBeside("shares", &shares, "The shares of a recovery kit that there is, one a line.")
  }

  private mutating func visitUsual(_ fields: FieldVisitor) throws(FieldError) {
    try fields.secret("passphrase", &passphrase, "The vault's passphrase.")
    try fields.secret("pin", &pin, "The PIN of a token that the vault knows.")
    try fields.flag("keyring", &keyring, "Open with the desktop's keyring. It opens no keys and proves nothing.")
    try fields.text("credential", &credential, "A passkey's credential id, in base64url.")
    try fields.secret("prf", &prf, "32 bytes that this passkey's PRF gave.")
    try fields.secret("recovery_code", &recoveryCode, "The kit's recovery code.")
    try fields.secret("login", &login, "Your login password, where PAM asks for it in front of a token or keyring.")
  }
}
