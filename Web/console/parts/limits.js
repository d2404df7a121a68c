// An app's limits: requests in a period, and budgets of signatures.

import { fill, h, notice } from "../dom.js";
import { t } from "../language.js";
import { capital, permissionWords } from "../words.js";
import { change } from "./change.js";
import { button, choice, field } from "./common.js";

/** @type {[string, string][]} */
const PERIODS = [["1h", t("an hour")], ["1d", t("a day")], ["1w", t("a week")]];
const SPANS =
  /** @type {[string, string][]} */ ([["per_minute", t("Requests in a minute")], ["per_hour", t("Requests in an hour")], ["per_day", t("Requests in a day")]]);
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
      pattern: "[0-9]*",
      maxlength: "7",
      value: client.limits[name] ?? "",
      placeholder: t("no limit"),
      data: { focus: name },
    }),
  }));
  fill(
    box,
    h("h2", {}, t("How much")),
    h("p", { class: "help" }, t("Requests beyond a limit wait for you.")),
    h("div", { class: "inline" }, fields.map((one) => one.box)),
    h(
      "div",
      { class: "buttons" },
      button(t("Save the limits"), (pressed) => {
        const wrong = fields.find(({ input }) => !/^\d*$/.test(input.value.trim()));
        if (wrong) {
          wrong.input.focus();
          notice(t("{field}: give a whole number, or leave it empty for no limit.", { field: wrong.words }), { bad: true });
          return;
        }
        pressed.focus();
        const wanted = Object.fromEntries(
          fields.map(({ name, input }) => [name, input.value.trim() === "" ? null : Number(input.value)]),
        );
        return change("client/limit", { client: client.signer, ...wanted }, t("The limits hold from now on."));
      }, { data: { focus: "save-limits" } }),
    ),
    budgets(client),
  );
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
  const count = field(t("At most this many"), { inputmode: "numeric", pattern: "[0-9]+", maxlength: "7" }),
    period = choice(t("Period"), PERIODS, "1d");
  return h(
    "div",
    { class: "budgets" },
    h("h3", {}, t("Budgets")),
    (client.budgets ?? []).length > 0 &&
      h("ul", { class: "rows" }, client.budgets.map((/** @type {any} */ one) => budget(client, one))),
    h(
      "div",
      { class: "inline" },
      what.box,
      count.box,
      period.box,
      button(t("Add"), (pressed) => {
        if (!/^\d+$/.test(count.input.value)) {
          count.input.focus();
          return;
        }
        pressed.focus();
        return change("client/budget", {
          client: client.signer,
          permission: what.select.value,
          count: Number(count.input.value),
          period: period.select.value,
        }, t("The budget is set."));
      }, { data: { focus: "add-budget" } }),
    ),
  );
}

/** @param {any} client @param {any} one */
function budget(client, one) {
  const period = PERIODS.find(([value]) => value === one.period)?.[1] ?? one.period;
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
