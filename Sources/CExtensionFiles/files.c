// Written by Sources/CConsoleFiles/generate.py from the folder Web/extension; run it after adding or removing a file.
// clang-format off
#include "extension_files.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_background_js[] = {
#embed "../../Web/extension/background.js" suffix(,)
0};
static const unsigned char file_badge_js[] = {
#embed "../../Web/extension/badge.js" suffix(,)
0};
static const unsigned char file_bridge_js[] = {
#embed "../../Web/extension/bridge.js" suffix(,)
0};
static const unsigned char file_documents_js[] = {
#embed "../../Web/extension/documents.js" suffix(,)
0};
static const unsigned char file_host_js[] = {
#embed "../../Web/extension/host.js" suffix(,)
0};
static const unsigned char file_icons_icon_128_png[] = {
#embed "../../Web/extension/icons/icon-128.png" suffix(,)
0};
static const unsigned char file_icons_icon_16_png[] = {
#embed "../../Web/extension/icons/icon-16.png" suffix(,)
0};
static const unsigned char file_icons_icon_32_png[] = {
#embed "../../Web/extension/icons/icon-32.png" suffix(,)
0};
static const unsigned char file_icons_icon_48_png[] = {
#embed "../../Web/extension/icons/icon-48.png" suffix(,)
0};
static const unsigned char file_icons_icon_svg[] = {
#embed "../../Web/extension/icons/icon.svg" suffix(,)
0};
static const unsigned char file_manifest_json[] = {
#embed "../../Web/extension/manifest.json" suffix(,)
0};
static const unsigned char file_origin_js[] = {
#embed "../../Web/extension/origin.js" suffix(,)
0};
static const unsigned char file_page_js[] = {
#embed "../../Web/extension/page.js" suffix(,)
0};
static const unsigned char file_requests_js[] = {
#embed "../../Web/extension/requests.js" suffix(,)
0};
static const unsigned char file_sites_js[] = {
#embed "../../Web/extension/sites.js" suffix(,)
0};
static const unsigned char file_toolbar_css[] = {
#embed "../../Web/extension/toolbar.css" suffix(,)
0};
static const unsigned char file_toolbar_html[] = {
#embed "../../Web/extension/toolbar.html" suffix(,)
0};
static const unsigned char file_toolbar_js[] = {
#embed "../../Web/extension/toolbar.js" suffix(,)
0};

const holdfast_extension_file holdfast_extension_files[] = {
  {"background.js", file_background_js, sizeof file_background_js - 1},
  {"badge.js", file_badge_js, sizeof file_badge_js - 1},
  {"bridge.js", file_bridge_js, sizeof file_bridge_js - 1},
  {"documents.js", file_documents_js, sizeof file_documents_js - 1},
  {"host.js", file_host_js, sizeof file_host_js - 1},
  {"icons/icon-128.png", file_icons_icon_128_png, sizeof file_icons_icon_128_png - 1},
  {"icons/icon-16.png", file_icons_icon_16_png, sizeof file_icons_icon_16_png - 1},
  {"icons/icon-32.png", file_icons_icon_32_png, sizeof file_icons_icon_32_png - 1},
  {"icons/icon-48.png", file_icons_icon_48_png, sizeof file_icons_icon_48_png - 1},
  {"icons/icon.svg", file_icons_icon_svg, sizeof file_icons_icon_svg - 1},
  {"manifest.json", file_manifest_json, sizeof file_manifest_json - 1},
  {"origin.js", file_origin_js, sizeof file_origin_js - 1},
  {"page.js", file_page_js, sizeof file_page_js - 1},
  {"requests.js", file_requests_js, sizeof file_requests_js - 1},
  {"sites.js", file_sites_js, sizeof file_sites_js - 1},
  {"toolbar.css", file_toolbar_css, sizeof file_toolbar_css - 1},
  {"toolbar.html", file_toolbar_html, sizeof file_toolbar_html - 1},
  {"toolbar.js", file_toolbar_js, sizeof file_toolbar_js - 1},
};
const size_t holdfast_extension_file_count = 18;
