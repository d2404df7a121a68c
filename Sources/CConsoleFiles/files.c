// Written by generate.py from the folder Web/console; run it after adding or removing a page.
// clang-format off
#include "console_files.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "../../Web/console/api.js" suffix(,)
0};
static const unsigned char file_1[] = {
#embed "../../Web/console/dom.js" suffix(,)
0};
static const unsigned char file_2[] = {
#embed "../../Web/console/icons/icon-192.png" suffix(,)
0};
static const unsigned char file_3[] = {
#embed "../../Web/console/icons/icon-512.png" suffix(,)
0};
static const unsigned char file_4[] = {
#embed "../../Web/console/icons/icon-maskable-512.png" suffix(,)
0};
static const unsigned char file_5[] = {
#embed "../../Web/console/icons/icon.svg" suffix(,)
0};
static const unsigned char file_6[] = {
#embed "../../Web/console/icons/license-lucide.txt" suffix(,)
0};
static const unsigned char file_7[] = {
#embed "../../Web/console/index.html" suffix(,)
0};
static const unsigned char file_8[] = {
#embed "../../Web/console/language.js" suffix(,)
0};
static const unsigned char file_9[] = {
#embed "../../Web/console/live.js" suffix(,)
0};
static const unsigned char file_10[] = {
#embed "../../Web/console/main.js" suffix(,)
0};
static const unsigned char file_11[] = {
#embed "../../Web/console/manifest.webmanifest" suffix(,)
0};
static const unsigned char file_12[] = {
#embed "../../Web/console/offline.html" suffix(,)
0};
static const unsigned char file_13[] = {
#embed "../../Web/console/offline.js" suffix(,)
0};
static const unsigned char file_14[] = {
#embed "../../Web/console/pages/activity.js" suffix(,)
0};
static const unsigned char file_15[] = {
#embed "../../Web/console/pages/app.js" suffix(,)
0};
static const unsigned char file_16[] = {
#embed "../../Web/console/pages/approvals.js" suffix(,)
0};
static const unsigned char file_17[] = {
#embed "../../Web/console/pages/apps.js" suffix(,)
0};
static const unsigned char file_18[] = {
#embed "../../Web/console/pages/backup.js" suffix(,)
0};
static const unsigned char file_19[] = {
#embed "../../Web/console/pages/home.js" suffix(,)
0};
static const unsigned char file_20[] = {
#embed "../../Web/console/pages/key.js" suffix(,)
0};
static const unsigned char file_21[] = {
#embed "../../Web/console/pages/keys.js" suffix(,)
0};
static const unsigned char file_22[] = {
#embed "../../Web/console/pages/more.js" suffix(,)
0};
static const unsigned char file_23[] = {
#embed "../../Web/console/pages/pair.js" suffix(,)
0};
static const unsigned char file_24[] = {
#embed "../../Web/console/pages/receipt.js" suffix(,)
0};
static const unsigned char file_25[] = {
#embed "../../Web/console/pages/recovery.js" suffix(,)
0};
static const unsigned char file_26[] = {
#embed "../../Web/console/pages/security.js" suffix(,)
0};
static const unsigned char file_27[] = {
#embed "../../Web/console/pages/signin.js" suffix(,)
0};
static const unsigned char file_28[] = {
#embed "../../Web/console/pages/vault.js" suffix(,)
0};
static const unsigned char file_29[] = {
#embed "../../Web/console/pages/welcome.js" suffix(,)
0};
static const unsigned char file_30[] = {
#embed "../../Web/console/parts/account.js" suffix(,)
0};
static const unsigned char file_31[] = {
#embed "../../Web/console/parts/approw.js" suffix(,)
0};
static const unsigned char file_32[] = {
#embed "../../Web/console/parts/backup.js" suffix(,)
0};
static const unsigned char file_33[] = {
#embed "../../Web/console/parts/card.js" suffix(,)
0};
static const unsigned char file_34[] = {
#embed "../../Web/console/parts/change.js" suffix(,)
0};
static const unsigned char file_35[] = {
#embed "../../Web/console/parts/chart.js" suffix(,)
0};
static const unsigned char file_36[] = {
#embed "../../Web/console/parts/classes.js" suffix(,)
0};
static const unsigned char file_37[] = {
#embed "../../Web/console/parts/common.js" suffix(,)
0};
static const unsigned char file_38[] = {
#embed "../../Web/console/parts/dialog.js" suffix(,)
0};
static const unsigned char file_39[] = {
#embed "../../Web/console/parts/diff.js" suffix(,)
0};
static const unsigned char file_40[] = {
#embed "../../Web/console/parts/enrol.js" suffix(,)
0};
static const unsigned char file_41[] = {
#embed "../../Web/console/parts/entries.js" suffix(,)
0};
static const unsigned char file_42[] = {
#embed "../../Web/console/parts/export.js" suffix(,)
0};
static const unsigned char file_43[] = {
#embed "../../Web/console/parts/frame.js" suffix(,)
0};
static const unsigned char file_44[] = {
#embed "../../Web/console/parts/guard.js" suffix(,)
0};
static const unsigned char file_45[] = {
#embed "../../Web/console/parts/guardians.js" suffix(,)
0};
static const unsigned char file_46[] = {
#embed "../../Web/console/parts/held.js" suffix(,)
0};
static const unsigned char file_47[] = {
#embed "../../Web/console/parts/history.js" suffix(,)
0};
static const unsigned char file_48[] = {
#embed "../../Web/console/parts/icons.js" suffix(,)
0};
static const unsigned char file_49[] = {
#embed "../../Web/console/parts/identity.js" suffix(,)
0};
static const unsigned char file_50[] = {
#embed "../../Web/console/parts/import.js" suffix(,)
0};
static const unsigned char file_51[] = {
#embed "../../Web/console/parts/incidents.js" suffix(,)
0};
static const unsigned char file_52[] = {
#embed "../../Web/console/parts/limits.js" suffix(,)
0};
static const unsigned char file_53[] = {
#embed "../../Web/console/parts/link.js" suffix(,)
0};
static const unsigned char file_54[] = {
#embed "../../Web/console/parts/notifications.js" suffix(,)
0};
static const unsigned char file_55[] = {
#embed "../../Web/console/parts/optional.js" suffix(,)
0};
static const unsigned char file_56[] = {
#embed "../../Web/console/parts/owner.js" suffix(,)
0};
static const unsigned char file_57[] = {
#embed "../../Web/console/parts/passkeys.js" suffix(,)
0};
static const unsigned char file_58[] = {
#embed "../../Web/console/parts/presence.js" suffix(,)
0};
static const unsigned char file_59[] = {
#embed "../../Web/console/parts/proof.js" suffix(,)
0};
static const unsigned char file_60[] = {
#embed "../../Web/console/parts/prove.js" suffix(,)
0};
static const unsigned char file_61[] = {
#embed "../../Web/console/parts/qr.js" suffix(,)
0};
static const unsigned char file_62[] = {
#embed "../../Web/console/parts/relays.js" suffix(,)
0};
static const unsigned char file_63[] = {
#embed "../../Web/console/parts/rotation.js" suffix(,)
0};
static const unsigned char file_64[] = {
#embed "../../Web/console/parts/save.js" suffix(,)
0};
static const unsigned char file_65[] = {
#embed "../../Web/console/parts/scan.js" suffix(,)
0};
static const unsigned char file_66[] = {
#embed "../../Web/console/parts/sheets.js" suffix(,)
0};
static const unsigned char file_67[] = {
#embed "../../Web/console/parts/sieve.js" suffix(,)
0};
static const unsigned char file_68[] = {
#embed "../../Web/console/parts/slots.js" suffix(,)
0};
static const unsigned char file_69[] = {
#embed "../../Web/console/parts/state.js" suffix(,)
0};
static const unsigned char file_70[] = {
#embed "../../Web/console/parts/switches.js" suffix(,)
0};
static const unsigned char file_71[] = {
#embed "../../Web/console/parts/theme.js" suffix(,)
0};
static const unsigned char file_72[] = {
#embed "../../Web/console/parts/trust.js" suffix(,)
0};
static const unsigned char file_73[] = {
#embed "../../Web/console/parts/unlock.js" suffix(,)
0};
static const unsigned char file_74[] = {
#embed "../../Web/console/pointer.js" suffix(,)
0};
static const unsigned char file_75[] = {
#embed "../../Web/console/router.js" suffix(,)
0};
static const unsigned char file_76[] = {
#embed "../../Web/console/store.js" suffix(,)
0};
static const unsigned char file_77[] = {
#embed "../../Web/console/styles/apps.css" suffix(,)
0};
static const unsigned char file_78[] = {
#embed "../../Web/console/styles/base.css" suffix(,)
0};
static const unsigned char file_79[] = {
#embed "../../Web/console/styles/cards.css" suffix(,)
0};
static const unsigned char file_80[] = {
#embed "../../Web/console/styles/controls.css" suffix(,)
0};
static const unsigned char file_81[] = {
#embed "../../Web/console/styles/frame.css" suffix(,)
0};
static const unsigned char file_82[] = {
#embed "../../Web/console/styles/keys.css" suffix(,)
0};
static const unsigned char file_83[] = {
#embed "../../Web/console/styles/narrow.css" suffix(,)
0};
static const unsigned char file_84[] = {
#embed "../../Web/console/styles/pairing.css" suffix(,)
0};
static const unsigned char file_85[] = {
#embed "../../Web/console/styles/pictures.css" suffix(,)
0};
static const unsigned char file_86[] = {
#embed "../../Web/console/styles/requests.css" suffix(,)
0};
static const unsigned char file_87[] = {
#embed "../../Web/console/sw.js" suffix(,)
0};
static const unsigned char file_88[] = {
#embed "../../Web/console/theme.js" suffix(,)
0};
static const unsigned char file_89[] = {
#embed "../../Web/console/view.js" suffix(,)
0};
static const unsigned char file_90[] = {
#embed "../../Web/console/words.js" suffix(,)
0};

const holdfast_console_file holdfast_console_files[] = {
  {"api.js", file_0, sizeof file_0 - 1},
  {"dom.js", file_1, sizeof file_1 - 1},
  {"icons/icon-192.png", file_2, sizeof file_2 - 1},
  {"icons/icon-512.png", file_3, sizeof file_3 - 1},
  {"icons/icon-maskable-512.png", file_4, sizeof file_4 - 1},
  {"icons/icon.svg", file_5, sizeof file_5 - 1},
  {"icons/license-lucide.txt", file_6, sizeof file_6 - 1},
  {"index.html", file_7, sizeof file_7 - 1},
  {"language.js", file_8, sizeof file_8 - 1},
  {"live.js", file_9, sizeof file_9 - 1},
  {"main.js", file_10, sizeof file_10 - 1},
  {"manifest.webmanifest", file_11, sizeof file_11 - 1},
  {"offline.html", file_12, sizeof file_12 - 1},
  {"offline.js", file_13, sizeof file_13 - 1},
  {"pages/activity.js", file_14, sizeof file_14 - 1},
  {"pages/app.js", file_15, sizeof file_15 - 1},
  {"pages/approvals.js", file_16, sizeof file_16 - 1},
  {"pages/apps.js", file_17, sizeof file_17 - 1},
  {"pages/backup.js", file_18, sizeof file_18 - 1},
  {"pages/home.js", file_19, sizeof file_19 - 1},
  {"pages/key.js", file_20, sizeof file_20 - 1},
  {"pages/keys.js", file_21, sizeof file_21 - 1},
  {"pages/more.js", file_22, sizeof file_22 - 1},
  {"pages/pair.js", file_23, sizeof file_23 - 1},
  {"pages/receipt.js", file_24, sizeof file_24 - 1},
  {"pages/recovery.js", file_25, sizeof file_25 - 1},
  {"pages/security.js", file_26, sizeof file_26 - 1},
  {"pages/signin.js", file_27, sizeof file_27 - 1},
  {"pages/vault.js", file_28, sizeof file_28 - 1},
  {"pages/welcome.js", file_29, sizeof file_29 - 1},
  {"parts/account.js", file_30, sizeof file_30 - 1},
  {"parts/approw.js", file_31, sizeof file_31 - 1},
  {"parts/backup.js", file_32, sizeof file_32 - 1},
  {"parts/card.js", file_33, sizeof file_33 - 1},
  {"parts/change.js", file_34, sizeof file_34 - 1},
  {"parts/chart.js", file_35, sizeof file_35 - 1},
  {"parts/classes.js", file_36, sizeof file_36 - 1},
  {"parts/common.js", file_37, sizeof file_37 - 1},
  {"parts/dialog.js", file_38, sizeof file_38 - 1},
  {"parts/diff.js", file_39, sizeof file_39 - 1},
  {"parts/enrol.js", file_40, sizeof file_40 - 1},
  {"parts/entries.js", file_41, sizeof file_41 - 1},
  {"parts/export.js", file_42, sizeof file_42 - 1},
  {"parts/frame.js", file_43, sizeof file_43 - 1},
  {"parts/guard.js", file_44, sizeof file_44 - 1},
  {"parts/guardians.js", file_45, sizeof file_45 - 1},
  {"parts/held.js", file_46, sizeof file_46 - 1},
  {"parts/history.js", file_47, sizeof file_47 - 1},
  {"parts/icons.js", file_48, sizeof file_48 - 1},
  {"parts/identity.js", file_49, sizeof file_49 - 1},
  {"parts/import.js", file_50, sizeof file_50 - 1},
  {"parts/incidents.js", file_51, sizeof file_51 - 1},
  {"parts/limits.js", file_52, sizeof file_52 - 1},
  {"parts/link.js", file_53, sizeof file_53 - 1},
  {"parts/notifications.js", file_54, sizeof file_54 - 1},
  {"parts/optional.js", file_55, sizeof file_55 - 1},
  {"parts/owner.js", file_56, sizeof file_56 - 1},
  {"parts/passkeys.js", file_57, sizeof file_57 - 1},
  {"parts/presence.js", file_58, sizeof file_58 - 1},
  {"parts/proof.js", file_59, sizeof file_59 - 1},
  {"parts/prove.js", file_60, sizeof file_60 - 1},
  {"parts/qr.js", file_61, sizeof file_61 - 1},
  {"parts/relays.js", file_62, sizeof file_62 - 1},
  {"parts/rotation.js", file_63, sizeof file_63 - 1},
  {"parts/save.js", file_64, sizeof file_64 - 1},
  {"parts/scan.js", file_65, sizeof file_65 - 1},
  {"parts/sheets.js", file_66, sizeof file_66 - 1},
  {"parts/sieve.js", file_67, sizeof file_67 - 1},
  {"parts/slots.js", file_68, sizeof file_68 - 1},
  {"parts/state.js", file_69, sizeof file_69 - 1},
  {"parts/switches.js", file_70, sizeof file_70 - 1},
  {"parts/theme.js", file_71, sizeof file_71 - 1},
  {"parts/trust.js", file_72, sizeof file_72 - 1},
  {"parts/unlock.js", file_73, sizeof file_73 - 1},
  {"pointer.js", file_74, sizeof file_74 - 1},
  {"router.js", file_75, sizeof file_75 - 1},
  {"store.js", file_76, sizeof file_76 - 1},
  {"styles/apps.css", file_77, sizeof file_77 - 1},
  {"styles/base.css", file_78, sizeof file_78 - 1},
  {"styles/cards.css", file_79, sizeof file_79 - 1},
  {"styles/controls.css", file_80, sizeof file_80 - 1},
  {"styles/frame.css", file_81, sizeof file_81 - 1},
  {"styles/keys.css", file_82, sizeof file_82 - 1},
  {"styles/narrow.css", file_83, sizeof file_83 - 1},
  {"styles/pairing.css", file_84, sizeof file_84 - 1},
  {"styles/pictures.css", file_85, sizeof file_85 - 1},
  {"styles/requests.css", file_86, sizeof file_86 - 1},
  {"sw.js", file_87, sizeof file_87 - 1},
  {"theme.js", file_88, sizeof file_88 - 1},
  {"view.js", file_89, sizeof file_89 - 1},
  {"words.js", file_90, sizeof file_90 - 1},
};
const size_t holdfast_console_file_count = 91;
