// The kinds that the vault itself reads and writes.

extension RecordKind {
  /// The vault's own: generation of the header and inventory of all records (Inventory.swift).
  public static let summary = RecordKind(0, "summary")
  /// A setting of the program, by its name.
  public static let setting = RecordKind(9, "setting")
  /// What is noted of a keyslot beside the header: label, when it was made, used and tested.
  public static let slotNote = RecordKind(17, "slot note")
  /// What is known of a program's item without opening it.
  public static let itemNote = RecordKind(18, "item note", classes: .withoutPresence)
  /// The value of a program's item.
  public static let itemValue = RecordKind(19, "item value", isSecret: true, classes: .any)
  /// The fingers that were enrolled on this machine when `biometricRequired` was.
  public static let fingerSet = RecordKind(31, "finger set", classes: .unlocked)
}
