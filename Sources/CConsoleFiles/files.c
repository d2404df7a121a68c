// Written by Sources/CConsoleFiles/generate.py from the folder Web/console; run it after adding or removing a file.
// clang-format off
#include "console_files.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_api_js[] = {
#embed "../../Web/console/api.js" suffix(,)
0};
static const unsigned char file_dom_js[] = {
#embed "../../Web/console/dom.js" suffix(,)
0};
static const unsigned char file_icons_icon_192_png[] = {
#embed "../../Web/console/icons/icon-192.png" suffix(,)
0};
static const unsigned char file_icons_icon_512_png[] = {
#embed "../../Web/console/icons/icon-512.png" suffix(,)
0};
static const unsigned char file_icons_icon_maskable_512_png[] = {
#embed "../../Web/console/icons/icon-maskable-512.png" suffix(,)
0};
static const unsigned char file_icons_icon_svg[] = {
#embed "../../Web/console/icons/icon.svg" suffix(,)
0};
static const unsigned char file_icons_license_lucide_txt[] = {
#embed "../../Web/console/icons/license-lucide.txt" suffix(,)
0};
static const unsigned char file_index_html[] = {
#embed "../../Web/console/index.html" suffix(,)
0};
static const unsigned char file_instead_js[] = {
#embed "../../Web/console/instead.js" suffix(,)
0};
static const unsigned char file_language_js[] = {
#embed "../../Web/console/language.js" suffix(,)
0};
static const unsigned char file_languages_de_json[] = {
#embed "../../Web/console/languages/de.json" suffix(,)
0};
static const unsigned char file_languages_en_json[] = {
#embed "../../Web/console/languages/en.json" suffix(,)
0};
static const unsigned char file_languages_es_json[] = {
#embed "../../Web/console/languages/es.json" suffix(,)
0};
static const unsigned char file_languages_ja_json[] = {
#embed "../../Web/console/languages/ja.json" suffix(,)
0};
static const unsigned char file_languages_pt_json[] = {
#embed "../../Web/console/languages/pt.json" suffix(,)
0};
static const unsigned char file_link_html[] = {
#embed "../../Web/console/link.html" suffix(,)
0};
static const unsigned char file_link_js[] = {
#embed "../../Web/console/link.js" suffix(,)
0};
static const unsigned char file_live_js[] = {
#embed "../../Web/console/live.js" suffix(,)
0};
static const unsigned char file_main_js[] = {
#embed "../../Web/console/main.js" suffix(,)
0};
static const unsigned char file_manifest_webmanifest[] = {
#embed "../../Web/console/manifest.webmanifest" suffix(,)
0};
static const unsigned char file_no_worker_js[] = {
#embed "../../Web/console/no-worker.js" suffix(,)
0};
static const unsigned char file_offline_html[] = {
#embed "../../Web/console/offline.html" suffix(,)
0};
static const unsigned char file_offline_js[] = {
#embed "../../Web/console/offline.js" suffix(,)
0};
static const unsigned char file_pages_activity_js[] = {
#embed "../../Web/console/pages/activity.js" suffix(,)
0};
static const unsigned char file_pages_app_js[] = {
#embed "../../Web/console/pages/app.js" suffix(,)
0};
static const unsigned char file_pages_approvals_js[] = {
#embed "../../Web/console/pages/approvals.js" suffix(,)
0};
static const unsigned char file_pages_apps_js[] = {
#embed "../../Web/console/pages/apps.js" suffix(,)
0};
static const unsigned char file_pages_backup_js[] = {
#embed "../../Web/console/pages/backup.js" suffix(,)
0};
static const unsigned char file_pages_browsers_js[] = {
#embed "../../Web/console/pages/browsers.js" suffix(,)
0};
static const unsigned char file_pages_home_js[] = {
#embed "../../Web/console/pages/home.js" suffix(,)
0};
static const unsigned char file_pages_key_js[] = {
#embed "../../Web/console/pages/key.js" suffix(,)
0};
static const unsigned char file_pages_keys_js[] = {
#embed "../../Web/console/pages/keys.js" suffix(,)
0};
static const unsigned char file_pages_more_js[] = {
#embed "../../Web/console/pages/more.js" suffix(,)
0};
static const unsigned char file_pages_pair_js[] = {
#embed "../../Web/console/pages/pair.js" suffix(,)
0};
static const unsigned char file_pages_phone_js[] = {
#embed "../../Web/console/pages/phone.js" suffix(,)
0};
static const unsigned char file_pages_receipt_js[] = {
#embed "../../Web/console/pages/receipt.js" suffix(,)
0};
static const unsigned char file_pages_recovery_js[] = {
#embed "../../Web/console/pages/recovery.js" suffix(,)
0};
static const unsigned char file_pages_relays_js[] = {
#embed "../../Web/console/pages/relays.js" suffix(,)
0};
static const unsigned char file_pages_restore_js[] = {
#embed "../../Web/console/pages/restore.js" suffix(,)
0};
static const unsigned char file_pages_security_js[] = {
#embed "../../Web/console/pages/security.js" suffix(,)
0};
static const unsigned char file_pages_settings_js[] = {
#embed "../../Web/console/pages/settings.js" suffix(,)
0};
static const unsigned char file_pages_signin_js[] = {
#embed "../../Web/console/pages/signin.js" suffix(,)
0};
static const unsigned char file_pages_vault_js[] = {
#embed "../../Web/console/pages/vault.js" suffix(,)
0};
static const unsigned char file_pages_welcome_js[] = {
#embed "../../Web/console/pages/welcome.js" suffix(,)
0};
static const unsigned char file_parts_account_js[] = {
#embed "../../Web/console/parts/account.js" suffix(,)
0};
static const unsigned char file_parts_alike_js[] = {
#embed "../../Web/console/parts/alike.js" suffix(,)
0};
static const unsigned char file_parts_allpaused_js[] = {
#embed "../../Web/console/parts/allpaused.js" suffix(,)
0};
static const unsigned char file_parts_announced_js[] = {
#embed "../../Web/console/parts/announced.js" suffix(,)
0};
static const unsigned char file_parts_approving_js[] = {
#embed "../../Web/console/parts/approving.js" suffix(,)
0};
static const unsigned char file_parts_approw_js[] = {
#embed "../../Web/console/parts/approw.js" suffix(,)
0};
static const unsigned char file_parts_autolock_js[] = {
#embed "../../Web/console/parts/autolock.js" suffix(,)
0};
static const unsigned char file_parts_backup_wanted_js[] = {
#embed "../../Web/console/parts/backup-wanted.js" suffix(,)
0};
static const unsigned char file_parts_bars_js[] = {
#embed "../../Web/console/parts/bars.js" suffix(,)
0};
static const unsigned char file_parts_base64url_js[] = {
#embed "../../Web/console/parts/base64url.js" suffix(,)
0};
static const unsigned char file_parts_card_js[] = {
#embed "../../Web/console/parts/card.js" suffix(,)
0};
static const unsigned char file_parts_change_js[] = {
#embed "../../Web/console/parts/change.js" suffix(,)
0};
static const unsigned char file_parts_chart_js[] = {
#embed "../../Web/console/parts/chart.js" suffix(,)
0};
static const unsigned char file_parts_check_backup_js[] = {
#embed "../../Web/console/parts/check-backup.js" suffix(,)
0};
static const unsigned char file_parts_check_file_js[] = {
#embed "../../Web/console/parts/check-file.js" suffix(,)
0};
static const unsigned char file_parts_classes_js[] = {
#embed "../../Web/console/parts/classes.js" suffix(,)
0};
static const unsigned char file_parts_closedlog_js[] = {
#embed "../../Web/console/parts/closedlog.js" suffix(,)
0};
static const unsigned char file_parts_codes_js[] = {
#embed "../../Web/console/parts/codes.js" suffix(,)
0};
static const unsigned char file_parts_common_js[] = {
#embed "../../Web/console/parts/common.js" suffix(,)
0};
static const unsigned char file_parts_csv_js[] = {
#embed "../../Web/console/parts/csv.js" suffix(,)
0};
static const unsigned char file_parts_custody_map_js[] = {
#embed "../../Web/console/parts/custody-map.js" suffix(,)
0};
static const unsigned char file_parts_custody_js[] = {
#embed "../../Web/console/parts/custody.js" suffix(,)
0};
static const unsigned char file_parts_days_js[] = {
#embed "../../Web/console/parts/days.js" suffix(,)
0};
static const unsigned char file_parts_dialog_js[] = {
#embed "../../Web/console/parts/dialog.js" suffix(,)
0};
static const unsigned char file_parts_diff_js[] = {
#embed "../../Web/console/parts/diff.js" suffix(,)
0};
static const unsigned char file_parts_earlier_js[] = {
#embed "../../Web/console/parts/earlier.js" suffix(,)
0};
static const unsigned char file_parts_elsewhere_js[] = {
#embed "../../Web/console/parts/elsewhere.js" suffix(,)
0};
static const unsigned char file_parts_enrol_js[] = {
#embed "../../Web/console/parts/enrol.js" suffix(,)
0};
static const unsigned char file_parts_entries_js[] = {
#embed "../../Web/console/parts/entries.js" suffix(,)
0};
static const unsigned char file_parts_exact_js[] = {
#embed "../../Web/console/parts/exact.js" suffix(,)
0};
static const unsigned char file_parts_export_js[] = {
#embed "../../Web/console/parts/export.js" suffix(,)
0};
static const unsigned char file_parts_faults_js[] = {
#embed "../../Web/console/parts/faults.js" suffix(,)
0};
static const unsigned char file_parts_final_js[] = {
#embed "../../Web/console/parts/final.js" suffix(,)
0};
static const unsigned char file_parts_firststeps_js[] = {
#embed "../../Web/console/parts/firststeps.js" suffix(,)
0};
static const unsigned char file_parts_fold_js[] = {
#embed "../../Web/console/parts/fold.js" suffix(,)
0};
static const unsigned char file_parts_formerapps_js[] = {
#embed "../../Web/console/parts/formerapps.js" suffix(,)
0};
static const unsigned char file_parts_frame_js[] = {
#embed "../../Web/console/parts/frame.js" suffix(,)
0};
static const unsigned char file_parts_guard_js[] = {
#embed "../../Web/console/parts/guard.js" suffix(,)
0};
static const unsigned char file_parts_guardians_js[] = {
#embed "../../Web/console/parts/guardians.js" suffix(,)
0};
static const unsigned char file_parts_halt_js[] = {
#embed "../../Web/console/parts/halt.js" suffix(,)
0};
static const unsigned char file_parts_heading_js[] = {
#embed "../../Web/console/parts/heading.js" suffix(,)
0};
static const unsigned char file_parts_held_js[] = {
#embed "../../Web/console/parts/held.js" suffix(,)
0};
static const unsigned char file_parts_history_js[] = {
#embed "../../Web/console/parts/history.js" suffix(,)
0};
static const unsigned char file_parts_icons_js[] = {
#embed "../../Web/console/parts/icons.js" suffix(,)
0};
static const unsigned char file_parts_identity_js[] = {
#embed "../../Web/console/parts/identity.js" suffix(,)
0};
static const unsigned char file_parts_import_js[] = {
#embed "../../Web/console/parts/import.js" suffix(,)
0};
static const unsigned char file_parts_incidents_js[] = {
#embed "../../Web/console/parts/incidents.js" suffix(,)
0};
static const unsigned char file_parts_keep_js[] = {
#embed "../../Web/console/parts/keep.js" suffix(,)
0};
static const unsigned char file_parts_keycopy_js[] = {
#embed "../../Web/console/parts/keycopy.js" suffix(,)
0};
static const unsigned char file_parts_keyguard_js[] = {
#embed "../../Web/console/parts/keyguard.js" suffix(,)
0};
static const unsigned char file_parts_keyhelp_js[] = {
#embed "../../Web/console/parts/keyhelp.js" suffix(,)
0};
static const unsigned char file_parts_keytext_js[] = {
#embed "../../Web/console/parts/keytext.js" suffix(,)
0};
static const unsigned char file_parts_kit_form_js[] = {
#embed "../../Web/console/parts/kit-form.js" suffix(,)
0};
static const unsigned char file_parts_languages_js[] = {
#embed "../../Web/console/parts/languages.js" suffix(,)
0};
static const unsigned char file_parts_lastbackup_js[] = {
#embed "../../Web/console/parts/lastbackup.js" suffix(,)
0};
static const unsigned char file_parts_lasting_js[] = {
#embed "../../Web/console/parts/lasting.js" suffix(,)
0};
static const unsigned char file_parts_likewise_js[] = {
#embed "../../Web/console/parts/likewise.js" suffix(,)
0};
static const unsigned char file_parts_limits_js[] = {
#embed "../../Web/console/parts/limits.js" suffix(,)
0};
static const unsigned char file_parts_link_js[] = {
#embed "../../Web/console/parts/link.js" suffix(,)
0};
static const unsigned char file_parts_locking_js[] = {
#embed "../../Web/console/parts/locking.js" suffix(,)
0};
static const unsigned char file_parts_lockstep_js[] = {
#embed "../../Web/console/parts/lockstep.js" suffix(,)
0};
static const unsigned char file_parts_meanings_js[] = {
#embed "../../Web/console/parts/meanings.js" suffix(,)
0};
static const unsigned char file_parts_names_js[] = {
#embed "../../Web/console/parts/names.js" suffix(,)
0};
static const unsigned char file_parts_newsecret_js[] = {
#embed "../../Web/console/parts/newsecret.js" suffix(,)
0};
static const unsigned char file_parts_nopasskeys_js[] = {
#embed "../../Web/console/parts/nopasskeys.js" suffix(,)
0};
static const unsigned char file_parts_note_js[] = {
#embed "../../Web/console/parts/note.js" suffix(,)
0};
static const unsigned char file_parts_notifications_js[] = {
#embed "../../Web/console/parts/notifications.js" suffix(,)
0};
static const unsigned char file_parts_ofvault_js[] = {
#embed "../../Web/console/parts/ofvault.js" suffix(,)
0};
static const unsigned char file_parts_onphone_js[] = {
#embed "../../Web/console/parts/onphone.js" suffix(,)
0};
static const unsigned char file_parts_optional_js[] = {
#embed "../../Web/console/parts/optional.js" suffix(,)
0};
static const unsigned char file_parts_origin_js[] = {
#embed "../../Web/console/parts/origin.js" suffix(,)
0};
static const unsigned char file_parts_otherrelays_js[] = {
#embed "../../Web/console/parts/otherrelays.js" suffix(,)
0};
static const unsigned char file_parts_owner_js[] = {
#embed "../../Web/console/parts/owner.js" suffix(,)
0};
static const unsigned char file_parts_passkeys_js[] = {
#embed "../../Web/console/parts/passkeys.js" suffix(,)
0};
static const unsigned char file_parts_passkeystep_js[] = {
#embed "../../Web/console/parts/passkeystep.js" suffix(,)
0};
static const unsigned char file_parts_passphrase_js[] = {
#embed "../../Web/console/parts/passphrase.js" suffix(,)
0};
static const unsigned char file_parts_people_js[] = {
#embed "../../Web/console/parts/people.js" suffix(,)
0};
static const unsigned char file_parts_presence_js[] = {
#embed "../../Web/console/parts/presence.js" suffix(,)
0};
static const unsigned char file_parts_program_js[] = {
#embed "../../Web/console/parts/program.js" suffix(,)
0};
static const unsigned char file_parts_proof_js[] = {
#embed "../../Web/console/parts/proof.js" suffix(,)
0};
static const unsigned char file_parts_prove_js[] = {
#embed "../../Web/console/parts/prove.js" suffix(,)
0};
static const unsigned char file_parts_qr_js[] = {
#embed "../../Web/console/parts/qr.js" suffix(,)
0};
static const unsigned char file_parts_quiet_js[] = {
#embed "../../Web/console/parts/quiet.js" suffix(,)
0};
static const unsigned char file_parts_receipts_js[] = {
#embed "../../Web/console/parts/receipts.js" suffix(,)
0};
static const unsigned char file_parts_reference_js[] = {
#embed "../../Web/console/parts/reference.js" suffix(,)
0};
static const unsigned char file_parts_refused_js[] = {
#embed "../../Web/console/parts/refused.js" suffix(,)
0};
static const unsigned char file_parts_relayaddress_js[] = {
#embed "../../Web/console/parts/relayaddress.js" suffix(,)
0};
static const unsigned char file_parts_relaypicker_js[] = {
#embed "../../Web/console/parts/relaypicker.js" suffix(,)
0};
static const unsigned char file_parts_relayremoval_js[] = {
#embed "../../Web/console/parts/relayremoval.js" suffix(,)
0};
static const unsigned char file_parts_relays_js[] = {
#embed "../../Web/console/parts/relays.js" suffix(,)
0};
static const unsigned char file_parts_relayusers_js[] = {
#embed "../../Web/console/parts/relayusers.js" suffix(,)
0};
static const unsigned char file_parts_remembered_js[] = {
#embed "../../Web/console/parts/remembered.js" suffix(,)
0};
static const unsigned char file_parts_rename_js[] = {
#embed "../../Web/console/parts/rename.js" suffix(,)
0};
static const unsigned char file_parts_restore_file_js[] = {
#embed "../../Web/console/parts/restore-file.js" suffix(,)
0};
static const unsigned char file_parts_restore_steps_js[] = {
#embed "../../Web/console/parts/restore-steps.js" suffix(,)
0};
static const unsigned char file_parts_resume_js[] = {
#embed "../../Web/console/parts/resume.js" suffix(,)
0};
static const unsigned char file_parts_revokedfile_js[] = {
#embed "../../Web/console/parts/revokedfile.js" suffix(,)
0};
static const unsigned char file_parts_revokedlist_js[] = {
#embed "../../Web/console/parts/revokedlist.js" suffix(,)
0};
static const unsigned char file_parts_risk_js[] = {
#embed "../../Web/console/parts/risk.js" suffix(,)
0};
static const unsigned char file_parts_rotation_js[] = {
#embed "../../Web/console/parts/rotation.js" suffix(,)
0};
static const unsigned char file_parts_rules_js[] = {
#embed "../../Web/console/parts/rules.js" suffix(,)
0};
static const unsigned char file_parts_runs_js[] = {
#embed "../../Web/console/parts/runs.js" suffix(,)
0};
static const unsigned char file_parts_said_js[] = {
#embed "../../Web/console/parts/said.js" suffix(,)
0};
static const unsigned char file_parts_save_js[] = {
#embed "../../Web/console/parts/save.js" suffix(,)
0};
static const unsigned char file_parts_scan_js[] = {
#embed "../../Web/console/parts/scan.js" suffix(,)
0};
static const unsigned char file_parts_secrets_js[] = {
#embed "../../Web/console/parts/secrets.js" suffix(,)
0};
static const unsigned char file_parts_sections_js[] = {
#embed "../../Web/console/parts/sections.js" suffix(,)
0};
static const unsigned char file_parts_sentfile_js[] = {
#embed "../../Web/console/parts/sentfile.js" suffix(,)
0};
static const unsigned char file_parts_sharefields_js[] = {
#embed "../../Web/console/parts/sharefields.js" suffix(,)
0};
static const unsigned char file_parts_sheets_js[] = {
#embed "../../Web/console/parts/sheets.js" suffix(,)
0};
static const unsigned char file_parts_sieve_js[] = {
#embed "../../Web/console/parts/sieve.js" suffix(,)
0};
static const unsigned char file_parts_signout_js[] = {
#embed "../../Web/console/parts/signout.js" suffix(,)
0};
static const unsigned char file_parts_slots_js[] = {
#embed "../../Web/console/parts/slots.js" suffix(,)
0};
static const unsigned char file_parts_starting_js[] = {
#embed "../../Web/console/parts/starting.js" suffix(,)
0};
static const unsigned char file_parts_state_js[] = {
#embed "../../Web/console/parts/state.js" suffix(,)
0};
static const unsigned char file_parts_steps_js[] = {
#embed "../../Web/console/parts/steps.js" suffix(,)
0};
static const unsigned char file_parts_storage_js[] = {
#embed "../../Web/console/parts/storage.js" suffix(,)
0};
static const unsigned char file_parts_switches_js[] = {
#embed "../../Web/console/parts/switches.js" suffix(,)
0};
static const unsigned char file_parts_theme_js[] = {
#embed "../../Web/console/parts/theme.js" suffix(,)
0};
static const unsigned char file_parts_thismachine_js[] = {
#embed "../../Web/console/parts/thismachine.js" suffix(,)
0};
static const unsigned char file_parts_trial_js[] = {
#embed "../../Web/console/parts/trial.js" suffix(,)
0};
static const unsigned char file_parts_trust_js[] = {
#embed "../../Web/console/parts/trust.js" suffix(,)
0};
static const unsigned char file_parts_typed_js[] = {
#embed "../../Web/console/parts/typed.js" suffix(,)
0};
static const unsigned char file_parts_unlock_js[] = {
#embed "../../Web/console/parts/unlock.js" suffix(,)
0};
static const unsigned char file_parts_unseen_js[] = {
#embed "../../Web/console/parts/unseen.js" suffix(,)
0};
static const unsigned char file_parts_upload_js[] = {
#embed "../../Web/console/parts/upload.js" suffix(,)
0};
static const unsigned char file_parts_weight_js[] = {
#embed "../../Web/console/parts/weight.js" suffix(,)
0};
static const unsigned char file_parts_whilelocked_js[] = {
#embed "../../Web/console/parts/whilelocked.js" suffix(,)
0};
static const unsigned char file_parts_worker_js[] = {
#embed "../../Web/console/parts/worker.js" suffix(,)
0};
static const unsigned char file_pointer_js[] = {
#embed "../../Web/console/pointer.js" suffix(,)
0};
static const unsigned char file_router_js[] = {
#embed "../../Web/console/router.js" suffix(,)
0};
static const unsigned char file_signer_js[] = {
#embed "../../Web/console/signer.js" suffix(,)
0};
static const unsigned char file_store_js[] = {
#embed "../../Web/console/store.js" suffix(,)
0};
static const unsigned char file_styles_activity_css[] = {
#embed "../../Web/console/styles/activity.css" suffix(,)
0};
static const unsigned char file_styles_apps_css[] = {
#embed "../../Web/console/styles/apps.css" suffix(,)
0};
static const unsigned char file_styles_base_css[] = {
#embed "../../Web/console/styles/base.css" suffix(,)
0};
static const unsigned char file_styles_cards_css[] = {
#embed "../../Web/console/styles/cards.css" suffix(,)
0};
static const unsigned char file_styles_controls_css[] = {
#embed "../../Web/console/styles/controls.css" suffix(,)
0};
static const unsigned char file_styles_frame_css[] = {
#embed "../../Web/console/styles/frame.css" suffix(,)
0};
static const unsigned char file_styles_keys_css[] = {
#embed "../../Web/console/styles/keys.css" suffix(,)
0};
static const unsigned char file_styles_narrow_css[] = {
#embed "../../Web/console/styles/narrow.css" suffix(,)
0};
static const unsigned char file_styles_pairing_css[] = {
#embed "../../Web/console/styles/pairing.css" suffix(,)
0};
static const unsigned char file_styles_pictures_css[] = {
#embed "../../Web/console/styles/pictures.css" suffix(,)
0};
static const unsigned char file_styles_requests_css[] = {
#embed "../../Web/console/styles/requests.css" suffix(,)
0};
static const unsigned char file_sw_js[] = {
#embed "../../Web/console/sw.js" suffix(,)
0};
static const unsigned char file_theme_js[] = {
#embed "../../Web/console/theme.js" suffix(,)
0};
static const unsigned char file_view_js[] = {
#embed "../../Web/console/view.js" suffix(,)
0};
static const unsigned char file_words_js[] = {
#embed "../../Web/console/words.js" suffix(,)
0};

const holdfast_console_file holdfast_console_files[] = {
  {"api.js", file_api_js, sizeof file_api_js - 1},
  {"dom.js", file_dom_js, sizeof file_dom_js - 1},
  {"icons/icon-192.png", file_icons_icon_192_png, sizeof file_icons_icon_192_png - 1},
  {"icons/icon-512.png", file_icons_icon_512_png, sizeof file_icons_icon_512_png - 1},
  {"icons/icon-maskable-512.png", file_icons_icon_maskable_512_png, sizeof file_icons_icon_maskable_512_png - 1},
  {"icons/icon.svg", file_icons_icon_svg, sizeof file_icons_icon_svg - 1},
  {"icons/license-lucide.txt", file_icons_license_lucide_txt, sizeof file_icons_license_lucide_txt - 1},
  {"index.html", file_index_html, sizeof file_index_html - 1},
  {"instead.js", file_instead_js, sizeof file_instead_js - 1},
  {"language.js", file_language_js, sizeof file_language_js - 1},
  {"languages/de.json", file_languages_de_json, sizeof file_languages_de_json - 1},
  {"languages/en.json", file_languages_en_json, sizeof file_languages_en_json - 1},
  {"languages/es.json", file_languages_es_json, sizeof file_languages_es_json - 1},
  {"languages/ja.json", file_languages_ja_json, sizeof file_languages_ja_json - 1},
  {"languages/pt.json", file_languages_pt_json, sizeof file_languages_pt_json - 1},
  {"link.html", file_link_html, sizeof file_link_html - 1},
  {"link.js", file_link_js, sizeof file_link_js - 1},
  {"live.js", file_live_js, sizeof file_live_js - 1},
  {"main.js", file_main_js, sizeof file_main_js - 1},
  {"manifest.webmanifest", file_manifest_webmanifest, sizeof file_manifest_webmanifest - 1},
  {"no-worker.js", file_no_worker_js, sizeof file_no_worker_js - 1},
  {"offline.html", file_offline_html, sizeof file_offline_html - 1},
  {"offline.js", file_offline_js, sizeof file_offline_js - 1},
  {"pages/activity.js", file_pages_activity_js, sizeof file_pages_activity_js - 1},
  {"pages/app.js", file_pages_app_js, sizeof file_pages_app_js - 1},
  {"pages/approvals.js", file_pages_approvals_js, sizeof file_pages_approvals_js - 1},
  {"pages/apps.js", file_pages_apps_js, sizeof file_pages_apps_js - 1},
  {"pages/backup.js", file_pages_backup_js, sizeof file_pages_backup_js - 1},
  {"pages/browsers.js", file_pages_browsers_js, sizeof file_pages_browsers_js - 1},
  {"pages/home.js", file_pages_home_js, sizeof file_pages_home_js - 1},
  {"pages/key.js", file_pages_key_js, sizeof file_pages_key_js - 1},
  {"pages/keys.js", file_pages_keys_js, sizeof file_pages_keys_js - 1},
  {"pages/more.js", file_pages_more_js, sizeof file_pages_more_js - 1},
  {"pages/pair.js", file_pages_pair_js, sizeof file_pages_pair_js - 1},
  {"pages/phone.js", file_pages_phone_js, sizeof file_pages_phone_js - 1},
  {"pages/receipt.js", file_pages_receipt_js, sizeof file_pages_receipt_js - 1},
  {"pages/recovery.js", file_pages_recovery_js, sizeof file_pages_recovery_js - 1},
  {"pages/relays.js", file_pages_relays_js, sizeof file_pages_relays_js - 1},
  {"pages/restore.js", file_pages_restore_js, sizeof file_pages_restore_js - 1},
  {"pages/security.js", file_pages_security_js, sizeof file_pages_security_js - 1},
  {"pages/settings.js", file_pages_settings_js, sizeof file_pages_settings_js - 1},
  {"pages/signin.js", file_pages_signin_js, sizeof file_pages_signin_js - 1},
  {"pages/vault.js", file_pages_vault_js, sizeof file_pages_vault_js - 1},
  {"pages/welcome.js", file_pages_welcome_js, sizeof file_pages_welcome_js - 1},
  {"parts/account.js", file_parts_account_js, sizeof file_parts_account_js - 1},
  {"parts/alike.js", file_parts_alike_js, sizeof file_parts_alike_js - 1},
  {"parts/allpaused.js", file_parts_allpaused_js, sizeof file_parts_allpaused_js - 1},
  {"parts/announced.js", file_parts_announced_js, sizeof file_parts_announced_js - 1},
  {"parts/approving.js", file_parts_approving_js, sizeof file_parts_approving_js - 1},
  {"parts/approw.js", file_parts_approw_js, sizeof file_parts_approw_js - 1},
  {"parts/autolock.js", file_parts_autolock_js, sizeof file_parts_autolock_js - 1},
  {"parts/backup-wanted.js", file_parts_backup_wanted_js, sizeof file_parts_backup_wanted_js - 1},
  {"parts/bars.js", file_parts_bars_js, sizeof file_parts_bars_js - 1},
  {"parts/base64url.js", file_parts_base64url_js, sizeof file_parts_base64url_js - 1},
  {"parts/card.js", file_parts_card_js, sizeof file_parts_card_js - 1},
  {"parts/change.js", file_parts_change_js, sizeof file_parts_change_js - 1},
  {"parts/chart.js", file_parts_chart_js, sizeof file_parts_chart_js - 1},
  {"parts/check-backup.js", file_parts_check_backup_js, sizeof file_parts_check_backup_js - 1},
  {"parts/check-file.js", file_parts_check_file_js, sizeof file_parts_check_file_js - 1},
  {"parts/classes.js", file_parts_classes_js, sizeof file_parts_classes_js - 1},
  {"parts/closedlog.js", file_parts_closedlog_js, sizeof file_parts_closedlog_js - 1},
  {"parts/codes.js", file_parts_codes_js, sizeof file_parts_codes_js - 1},
  {"parts/common.js", file_parts_common_js, sizeof file_parts_common_js - 1},
  {"parts/csv.js", file_parts_csv_js, sizeof file_parts_csv_js - 1},
  {"parts/custody-map.js", file_parts_custody_map_js, sizeof file_parts_custody_map_js - 1},
  {"parts/custody.js", file_parts_custody_js, sizeof file_parts_custody_js - 1},
  {"parts/days.js", file_parts_days_js, sizeof file_parts_days_js - 1},
  {"parts/dialog.js", file_parts_dialog_js, sizeof file_parts_dialog_js - 1},
  {"parts/diff.js", file_parts_diff_js, sizeof file_parts_diff_js - 1},
  {"parts/earlier.js", file_parts_earlier_js, sizeof file_parts_earlier_js - 1},
  {"parts/elsewhere.js", file_parts_elsewhere_js, sizeof file_parts_elsewhere_js - 1},
  {"parts/enrol.js", file_parts_enrol_js, sizeof file_parts_enrol_js - 1},
  {"parts/entries.js", file_parts_entries_js, sizeof file_parts_entries_js - 1},
  {"parts/exact.js", file_parts_exact_js, sizeof file_parts_exact_js - 1},
  {"parts/export.js", file_parts_export_js, sizeof file_parts_export_js - 1},
  {"parts/faults.js", file_parts_faults_js, sizeof file_parts_faults_js - 1},
  {"parts/final.js", file_parts_final_js, sizeof file_parts_final_js - 1},
  {"parts/firststeps.js", file_parts_firststeps_js, sizeof file_parts_firststeps_js - 1},
  {"parts/fold.js", file_parts_fold_js, sizeof file_parts_fold_js - 1},
  {"parts/formerapps.js", file_parts_formerapps_js, sizeof file_parts_formerapps_js - 1},
  {"parts/frame.js", file_parts_frame_js, sizeof file_parts_frame_js - 1},
  {"parts/guard.js", file_parts_guard_js, sizeof file_parts_guard_js - 1},
  {"parts/guardians.js", file_parts_guardians_js, sizeof file_parts_guardians_js - 1},
  {"parts/halt.js", file_parts_halt_js, sizeof file_parts_halt_js - 1},
  {"parts/heading.js", file_parts_heading_js, sizeof file_parts_heading_js - 1},
  {"parts/held.js", file_parts_held_js, sizeof file_parts_held_js - 1},
  {"parts/history.js", file_parts_history_js, sizeof file_parts_history_js - 1},
  {"parts/icons.js", file_parts_icons_js, sizeof file_parts_icons_js - 1},
  {"parts/identity.js", file_parts_identity_js, sizeof file_parts_identity_js - 1},
  {"parts/import.js", file_parts_import_js, sizeof file_parts_import_js - 1},
  {"parts/incidents.js", file_parts_incidents_js, sizeof file_parts_incidents_js - 1},
  {"parts/keep.js", file_parts_keep_js, sizeof file_parts_keep_js - 1},
  {"parts/keycopy.js", file_parts_keycopy_js, sizeof file_parts_keycopy_js - 1},
  {"parts/keyguard.js", file_parts_keyguard_js, sizeof file_parts_keyguard_js - 1},
  {"parts/keyhelp.js", file_parts_keyhelp_js, sizeof file_parts_keyhelp_js - 1},
  {"parts/keytext.js", file_parts_keytext_js, sizeof file_parts_keytext_js - 1},
  {"parts/kit-form.js", file_parts_kit_form_js, sizeof file_parts_kit_form_js - 1},
  {"parts/languages.js", file_parts_languages_js, sizeof file_parts_languages_js - 1},
  {"parts/lastbackup.js", file_parts_lastbackup_js, sizeof file_parts_lastbackup_js - 1},
  {"parts/lasting.js", file_parts_lasting_js, sizeof file_parts_lasting_js - 1},
  {"parts/likewise.js", file_parts_likewise_js, sizeof file_parts_likewise_js - 1},
  {"parts/limits.js", file_parts_limits_js, sizeof file_parts_limits_js - 1},
  {"parts/link.js", file_parts_link_js, sizeof file_parts_link_js - 1},
  {"parts/locking.js", file_parts_locking_js, sizeof file_parts_locking_js - 1},
  {"parts/lockstep.js", file_parts_lockstep_js, sizeof file_parts_lockstep_js - 1},
  {"parts/meanings.js", file_parts_meanings_js, sizeof file_parts_meanings_js - 1},
  {"parts/names.js", file_parts_names_js, sizeof file_parts_names_js - 1},
  {"parts/newsecret.js", file_parts_newsecret_js, sizeof file_parts_newsecret_js - 1},
  {"parts/nopasskeys.js", file_parts_nopasskeys_js, sizeof file_parts_nopasskeys_js - 1},
  {"parts/note.js", file_parts_note_js, sizeof file_parts_note_js - 1},
  {"parts/notifications.js", file_parts_notifications_js, sizeof file_parts_notifications_js - 1},
  {"parts/ofvault.js", file_parts_ofvault_js, sizeof file_parts_ofvault_js - 1},
  {"parts/onphone.js", file_parts_onphone_js, sizeof file_parts_onphone_js - 1},
  {"parts/optional.js", file_parts_optional_js, sizeof file_parts_optional_js - 1},
  {"parts/origin.js", file_parts_origin_js, sizeof file_parts_origin_js - 1},
  {"parts/otherrelays.js", file_parts_otherrelays_js, sizeof file_parts_otherrelays_js - 1},
  {"parts/owner.js", file_parts_owner_js, sizeof file_parts_owner_js - 1},
  {"parts/passkeys.js", file_parts_passkeys_js, sizeof file_parts_passkeys_js - 1},
  {"parts/passkeystep.js", file_parts_passkeystep_js, sizeof file_parts_passkeystep_js - 1},
  {"parts/passphrase.js", file_parts_passphrase_js, sizeof file_parts_passphrase_js - 1},
  {"parts/people.js", file_parts_people_js, sizeof file_parts_people_js - 1},
  {"parts/presence.js", file_parts_presence_js, sizeof file_parts_presence_js - 1},
  {"parts/program.js", file_parts_program_js, sizeof file_parts_program_js - 1},
  {"parts/proof.js", file_parts_proof_js, sizeof file_parts_proof_js - 1},
  {"parts/prove.js", file_parts_prove_js, sizeof file_parts_prove_js - 1},
  {"parts/qr.js", file_parts_qr_js, sizeof file_parts_qr_js - 1},
  {"parts/quiet.js", file_parts_quiet_js, sizeof file_parts_quiet_js - 1},
  {"parts/receipts.js", file_parts_receipts_js, sizeof file_parts_receipts_js - 1},
  {"parts/reference.js", file_parts_reference_js, sizeof file_parts_reference_js - 1},
  {"parts/refused.js", file_parts_refused_js, sizeof file_parts_refused_js - 1},
  {"parts/relayaddress.js", file_parts_relayaddress_js, sizeof file_parts_relayaddress_js - 1},
  {"parts/relaypicker.js", file_parts_relaypicker_js, sizeof file_parts_relaypicker_js - 1},
  {"parts/relayremoval.js", file_parts_relayremoval_js, sizeof file_parts_relayremoval_js - 1},
  {"parts/relays.js", file_parts_relays_js, sizeof file_parts_relays_js - 1},
  {"parts/relayusers.js", file_parts_relayusers_js, sizeof file_parts_relayusers_js - 1},
  {"parts/remembered.js", file_parts_remembered_js, sizeof file_parts_remembered_js - 1},
  {"parts/rename.js", file_parts_rename_js, sizeof file_parts_rename_js - 1},
  {"parts/restore-file.js", file_parts_restore_file_js, sizeof file_parts_restore_file_js - 1},
  {"parts/restore-steps.js", file_parts_restore_steps_js, sizeof file_parts_restore_steps_js - 1},
  {"parts/resume.js", file_parts_resume_js, sizeof file_parts_resume_js - 1},
  {"parts/revokedfile.js", file_parts_revokedfile_js, sizeof file_parts_revokedfile_js - 1},
  {"parts/revokedlist.js", file_parts_revokedlist_js, sizeof file_parts_revokedlist_js - 1},
  {"parts/risk.js", file_parts_risk_js, sizeof file_parts_risk_js - 1},
  {"parts/rotation.js", file_parts_rotation_js, sizeof file_parts_rotation_js - 1},
  {"parts/rules.js", file_parts_rules_js, sizeof file_parts_rules_js - 1},
  {"parts/runs.js", file_parts_runs_js, sizeof file_parts_runs_js - 1},
  {"parts/said.js", file_parts_said_js, sizeof file_parts_said_js - 1},
  {"parts/save.js", file_parts_save_js, sizeof file_parts_save_js - 1},
  {"parts/scan.js", file_parts_scan_js, sizeof file_parts_scan_js - 1},
  {"parts/secrets.js", file_parts_secrets_js, sizeof file_parts_secrets_js - 1},
  {"parts/sections.js", file_parts_sections_js, sizeof file_parts_sections_js - 1},
  {"parts/sentfile.js", file_parts_sentfile_js, sizeof file_parts_sentfile_js - 1},
  {"parts/sharefields.js", file_parts_sharefields_js, sizeof file_parts_sharefields_js - 1},
  {"parts/sheets.js", file_parts_sheets_js, sizeof file_parts_sheets_js - 1},
  {"parts/sieve.js", file_parts_sieve_js, sizeof file_parts_sieve_js - 1},
  {"parts/signout.js", file_parts_signout_js, sizeof file_parts_signout_js - 1},
  {"parts/slots.js", file_parts_slots_js, sizeof file_parts_slots_js - 1},
  {"parts/starting.js", file_parts_starting_js, sizeof file_parts_starting_js - 1},
  {"parts/state.js", file_parts_state_js, sizeof file_parts_state_js - 1},
  {"parts/steps.js", file_parts_steps_js, sizeof file_parts_steps_js - 1},
  {"parts/storage.js", file_parts_storage_js, sizeof file_parts_storage_js - 1},
  {"parts/switches.js", file_parts_switches_js, sizeof file_parts_switches_js - 1},
  {"parts/theme.js", file_parts_theme_js, sizeof file_parts_theme_js - 1},
  {"parts/thismachine.js", file_parts_thismachine_js, sizeof file_parts_thismachine_js - 1},
  {"parts/trial.js", file_parts_trial_js, sizeof file_parts_trial_js - 1},
  {"parts/trust.js", file_parts_trust_js, sizeof file_parts_trust_js - 1},
  {"parts/typed.js", file_parts_typed_js, sizeof file_parts_typed_js - 1},
  {"parts/unlock.js", file_parts_unlock_js, sizeof file_parts_unlock_js - 1},
  {"parts/unseen.js", file_parts_unseen_js, sizeof file_parts_unseen_js - 1},
  {"parts/upload.js", file_parts_upload_js, sizeof file_parts_upload_js - 1},
  {"parts/weight.js", file_parts_weight_js, sizeof file_parts_weight_js - 1},
  {"parts/whilelocked.js", file_parts_whilelocked_js, sizeof file_parts_whilelocked_js - 1},
  {"parts/worker.js", file_parts_worker_js, sizeof file_parts_worker_js - 1},
  {"pointer.js", file_pointer_js, sizeof file_pointer_js - 1},
  {"router.js", file_router_js, sizeof file_router_js - 1},
  {"signer.js", file_signer_js, sizeof file_signer_js - 1},
  {"store.js", file_store_js, sizeof file_store_js - 1},
  {"styles/activity.css", file_styles_activity_css, sizeof file_styles_activity_css - 1},
  {"styles/apps.css", file_styles_apps_css, sizeof file_styles_apps_css - 1},
  {"styles/base.css", file_styles_base_css, sizeof file_styles_base_css - 1},
  {"styles/cards.css", file_styles_cards_css, sizeof file_styles_cards_css - 1},
  {"styles/controls.css", file_styles_controls_css, sizeof file_styles_controls_css - 1},
  {"styles/frame.css", file_styles_frame_css, sizeof file_styles_frame_css - 1},
  {"styles/keys.css", file_styles_keys_css, sizeof file_styles_keys_css - 1},
  {"styles/narrow.css", file_styles_narrow_css, sizeof file_styles_narrow_css - 1},
  {"styles/pairing.css", file_styles_pairing_css, sizeof file_styles_pairing_css - 1},
  {"styles/pictures.css", file_styles_pictures_css, sizeof file_styles_pictures_css - 1},
  {"styles/requests.css", file_styles_requests_css, sizeof file_styles_requests_css - 1},
  {"sw.js", file_sw_js, sizeof file_sw_js - 1},
  {"theme.js", file_theme_js, sizeof file_theme_js - 1},
  {"view.js", file_view_js, sizeof file_view_js - 1},
  {"words.js", file_words_js, sizeof file_words_js - 1},
};
const size_t holdfast_console_file_count = 192;
