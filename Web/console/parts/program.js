// A program, site or link on this machine that asks without a relay: what the signer knows of it, and whether it was let in.

import { h } from "../dom.js";
import { rich, t } from "../language.js";
import { button } from "./common.js";
import { change } from "./change.js";

/** Whether it asks without a relay: a program, a site or a link. @param {{program?: any, site?: any, link?: any}} client */
export function isLocal({ program, site, link }) {
  return Boolean(program || site || link);
}

/** @param {{first_use?: boolean}} client */
export function unmetTag({ first_use }) {
  return first_use ? h("span", { class: "tag fair" }, t("not let in yet")) : null;
}

/** Marks programs, sites and links among the apps. @param {{program?: any, site?: any, link?: any}} client */
export function machineTag({ program, site, link }) {
  const words = program ? t("on this machine") : site ? t("site") : link ? t("link") : null;
  return words && h("span", { class: "tag" }, words);
}

/** What more trust means for a program that runs scripts. @param {any} client */
export function scriptWarning({ program }) {
  return program?.interpreter ? h("p", { class: "warning" }, t("Every script of yours that runs in this program gets this trust.")) : null;
}

/** Null for an app that asks over relays. @param {any} client */
export function programWords({ program, site, link }) {
  if (site) return siteWords(site);
  if (link) return h("p", {}, rich("Links with answers to {place}", { place: h("code", { class: "whole" }, link.callback) }));
  if (!program) return null;
  return [
    h("p", {}, rich("A program on this machine: {path}", { path: h("code", { class: "whole" }, program.path) })),
    program.sandbox && h("p", { class: "help" }, rich("Confined to: {name}", { name: program.sandbox })),
    program.unit && h("p", { class: "help" }, rich("Service: {name}", { name: program.unit })),
    program.interpreter && h("p", { class: "claim" }, t("This program runs any script. The signer sees the program, not the script.")),
  ];
}

/** @param {{origin: string, browser: string}} site */
function siteWords({ origin, browser }) {
  return [
    h("p", {}, rich("A site in your browser: {origin}", { origin: h("code", { class: "whole" }, origin) })),
    h("p", { class: "help" }, rich("Browser: {path}", { path: h("code", { class: "whole" }, browser) })),
  ];
}

/** @param {any} client */
export function programFacts({ program }) {
  return program ? [h("dt", {}, t("SHA-256 of the file")), h("dd", { class: "whole" }, h("code", {}, program.sha256))] : null;
}

/** Lets a program in that asked for the first time. Null for all others. @param {any} client */
export function letIn(client) {
  if (!client.first_use) return null;
  const press = () =>
    change("local/trust", { client: client.signer, trust: client.trust }, t("Let in. Its trust and your rules decide from now on."));
  return h(
    "section",
    { class: "card alarm" },
    h("p", {}, h("strong", {}, unmetWords(client)), " ", t("All that it asks waits for you.")),
    button(t("Let it in"), press, { class: "primary", data: { focus: "let-in" } }),
  );
}

/** @param {any} client */
function unmetWords({ program, site }) {
  if (program) return t("You have not let this program in yet.");
  return site ? t("You have not let this site in yet.") : t("You have not let these links in yet.");
}
