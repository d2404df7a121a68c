// An app's limits: requests in a period, and budgets of signatures.

import { h } from "../dom.js";
import { t, tn } from "../language.js";
import { capital, PERIODS, permissionWords } from "../words.js";
import { change, changeBy } from "./change.js";
import { button, choice, field } from "./common.js";
import { attempt } from "./faults.js";
import { fillFold } from "./fold.js";
import { wholeNumber } from "./rules.js";

const SPANS =
  /** @type {[string, string][]} */ ([["per_minute", t("Requests in a minute")], ["per_hour", t("Requests in an hour")], ["per_day", t("Requests in a day")]]);
/** What a limit can be. */
const LIMIT = wholeNumber(0, 9_999_999);
const BUDGETED = [
  "sign_event:1",
  "sign_event:7",
  "sign_event:6",
  "sign_event:30023",
  "sign_event",
  "nip44_decrypt",
  "nip44_encrypt",
];

/** @param {HTMLElement} box @param {any} client */
export function limits(box, client) {
  box.hidden = !client.limits;
  if (!client.limits || box.contains(document.activeElement) && document.activeElement instanceof HTMLInputElement) return;
  const fields = SPANS.map(([name, words]) => ({
    name,
    words,
    ...field(words, {
      inputmode: "numeric",
      rule: LIMIT,
      maxlength: "7",
      value: client.limits[name] ?? "",
      placeholder: t("no limit"),
      data: { focus: name },
    }),
  }));
  const row = h("div", { class: "inline" }, fields.map((one) => one.box)), faults = h("div", {});
  fillFold(
    box,
    t("How much"),
    set(client),
    h("p", { class: "help" }, t("Requests beyond a limit wait for you. With 0, every request waits.")),
    row,
    faults,
    h(
      "div",
      { class: "buttons" },
      button(t("Save the limits"), (pressed) => {
        pressed.focus();
        const wanted = Object.fromEntries(
          fields.map(({ name, input }) => [name, input.value.trim() === "" ? null : Number(input.value)]),
        );
        const said = Object.values(wanted).includes(0) ? t("The limits hold from now on. With 0, every request waits for you.") : t("The limits hold from now on.");
        return attempt(row, faults, () => changeBy("client/limit", { client: client.signer, ...wanted }, said));
      }, { data: { focus: "save-limits" } }),
    ),
    budgets(client),
  );
}

/** What is set, in a few words. @param {any} client */
function set({ limits: { per_minute: minute, per_hour: hour, per_day: day }, budgets: all }) {
  const count = all?.length ?? 0;
  const words = [
    minute !== null && t("{count} in a minute", { count: minute }),
    hour !== null && t("{count} in an hour", { count: hour }),
    day !== null && t("{count} in a day", { count: day }),
    count > 0 && tn(count, "{count} budget", "{count} budgets"),
  ].filter(Boolean);
  return words.join(" · ") || t("no limit");
}

/** @param {any} client */
function budgets(client) {
  const what = choice(
    t("Limit this"),
    BUDGETED.map((
      permission,
    ) => [permission, permission === "sign_event" ? t("signatures of any kind") : permissionWords(permission)]),
    "sign_event:1",
  );
  const count = field(t("At most this many"), { inputmode: "numeric", required: true, rule: LIMIT, maxlength: "7" }),
    period = choice(t("Period"), Object.entries(PERIODS), "1d"), faults = h("div", {});
  const row = h(
    "div",
    { class: "inline" },
    what.box,
    count.box,
    period.box,
    button(t("Add"), (pressed) => {
      pressed.focus();
      return attempt(row, faults, () =>
        changeBy("client/budget", {
          client: client.signer,
          permission: what.select.value,
          count: Number(count.input.value),
          period: period.select.value,
        }, t("The budget is set.")));
    }, { data: { focus: "add-budget" } }),
  );
  return h(
    "div",
    { class: "budgets" },
    h("h3", {}, t("Budgets")),
    (client.budgets ?? []).length > 0 &&
      h("ul", { class: "rows" }, client.budgets.map((/** @type {any} */ one) => budget(client, one))),
    row,
    faults,
  );
}

/** @param {any} client @param {any} one */
function budget(client, one) {
  const period = PERIODS[one.period] ?? one.period;
  return h(
    "li",
    { class: "row" },
    h(
      "span",
      { class: "row-words" },
      h("strong", {}, capital(one.permission === "sign_event" ? t("signatures of any kind") : permissionWords(one.permission))),
      h("span", {}, t("{used} of {count} used, in {period}", { used: one.used, count: one.count, period })),
    ),
    h("meter", { min: "0", max: String(one.count || 1), value: String(one.used), "aria-label": t("Used") }),
    button(t("Remove"), () =>
      change(
        "client/budget",
        { client: client.signer, permission: one.permission, count: null, period: one.period },
        t("The budget is removed."),
      ), { class: "quiet" }),
  );
}
