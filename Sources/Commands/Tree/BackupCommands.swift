extension Command {
  /// `holdfast backup …`
  static let backupVerbs: [Command] = []
}
