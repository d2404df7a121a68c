/// Every operation of the owner. An operation that is not listed does not exist: not on the control socket, not in the console,
/// and not in the documentation.
public enum OperationTable {
  /// In the order of the documentation.
  public static let all: [any OwnerOperation.Type] = session + apps + identities + opening + keeping + record

  private static let session: [any OwnerOperation.Type] = [
    ConsoleLink.self, SignerLock.self, SignerUnlock.self, SignerPanic.self, SignerResume.self, SessionShow.self, SessionSet.self,
    SessionProve.self, StatusShow.self, IncidentsChecked.self, PassphraseSuggest.self, PassphraseCheck.self, TrialKeep.self,
    TrialPlace.self, TrialBackupCheck.self, TrialRestore.self,
  ]

  private static let apps: [any OwnerOperation.Type] = [
    AppList.self, AppShow.self, AppPermissions.self, AppRename.self, AppTrust.self, AppRevoke.self, LocalList.self,
    LocalTrust.self, LocalRevoke.self, AppAllow.self, AppDeny.self,
    AppAsk.self,
    AppForget.self, AppLimit.self, AppBudgetSet.self, AppPause.self, AppResume.self, PairNew.self, PairAccept.self,
    PairPreview.self, RelayList.self, RelayTry.self, PairList.self,
    PairCancel.self, PairQR.self,
    RequestApprove.self, RequestDeny.self, RequestHandOver.self, RequestList.self, RequestShow.self, RequestWatch.self,
    RequestOutcomes.self, Sign.self,
    PolicyShow.self,
    PolicySet.self, PolicyExplain.self, PeopleShow.self, PeopleSet.self,
  ]

  private static let identities: [any OwnerOperation.Type] = [
    IdentityAccounts.self, IdentityDelete.self, IdentityExport.self, IdentityCreate.self, IdentityImport.self,
    IdentityDerive.self, IdentityVanity.self, IdentityList.self, IdentityShow.self, IdentityRename.self, IdentityDefault.self,
    IdentitySet.self, IdentityClass.self, IdentityResetEvent.self, IdentityReceipt.self, IdentityRotate.self,
    IdentityRotation.self, IdentitySuccession.self,
  ]

  private static let opening: [any OwnerOperation.Type] = [
    SlotAdd.self, SlotBind.self, SlotEnrol.self, SlotList.self, SlotTest.self, SlotRename.self, SlotPasskeyAdd.self,
    SlotPassphraseChange.self, SlotRemove.self, SlotRotate.self, DoctorDevice.self, DoctorVault.self, VaultAccept.self,
    VaultCheck.self, VaultRepair.self,
  ]

  private static let keeping: [any OwnerOperation.Type] = [
    CustodyOverview.self,
    RecoveryCreate.self, RecoveryList.self, RecoveryHandOut.self, RecoveryRemove.self, RecoveryRestore.self, RecoveryTest.self,
    GuardianAdd.self, GuardianRelease.self, GuardianRefuse.self, GuardianCancel.self, GuardianAsk.self, GuardianRemove.self,
    GuardianAccept.self, GuardianListen.self, GuardianOpen.self, GuardianCode.self, GuardianList.self, GuardianHeld.self,
    GuardianRequests.self, GuardianAsked.self, GuardianShares.self, BackupCreate.self, BackupRevokedApps.self, BackupList.self,
    BackupPlanShow.self, BackupSchedule.self, BackupRun.self, BackupVerify.self, BackupUploadBegin.self, BackupUploadPart.self,
    BackupUploadEnd.self,
    BackupUploadCheck.self, BackupUploadCancel.self,
  ]

  private static let record: [any OwnerOperation.Type] = [
    LogShow.self, LogExport.self, LogKey.self, LogCheckpoint.self, LogRetain.self, LogRenew.self, LogProve.self, LogVerify.self,
    PushKey.self, PushList.self, PushSubscribe.self, PushRemove.self, PushTest.self, PushRegister.self, PushUnregister.self,
    PushStatus.self,
  ]

  private static let byName: [String: OperationProperties] = Dictionary(
    uniqueKeysWithValues: all.map { ($0.properties.name, $0.properties) })

  /// The properties of the operation with that name; nil if there is none.
  public static func properties(of name: String) -> OperationProperties? { byName[name] }
}
