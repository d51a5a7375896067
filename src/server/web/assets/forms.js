// Sends forms to the API as JSON: `form[data-send="POST /session"]`. README.md describes their fields.

import { ApiError, request } from "./api.js";
import { element, fill } from "./dom.js";
import { toast } from "./toast.js";

/** Connects the forms of the page to the API. */
export function startForms(forms) {
  for (const form of forms) {
    prepare(form);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      send(form);
    });
    if ("invitation" in form.dataset) showInvitation(form);
  }
}

/** Fills fields from the fragment of the URL, and times in the browser's time zone. */
function prepare(form) {
  for (const field of form.querySelectorAll("[data-from-hash]")) field.value ||= location.hash.slice(1);
  for (const field of form.querySelectorAll('input[type="datetime-local"][data-ms]')) field.value = localTime(Number(field.dataset.ms));
  for (const field of form.querySelectorAll('input[type="file"][data-into]')) {
    const copy = async () => {
      if (field.files.length > 0) form.elements[field.dataset.into].value = await field.files[0].text();
    };
    field.addEventListener("change", copy);
    // The user may have chosen a file before this script was loaded.
    copy();
  }
}

function localTime(ms) {
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Returns the fields of a form as the body of a request; `undefined` if the form has no fields. */
export function bodyOf(form) {
  const fields = [...form.elements].filter(({ name, disabled }) => name && !disabled);
  if (fields.length === 0) return undefined;
  const body = {};
  for (const field of fields) {
    const type = field.dataset.type;
    if (type === "list") {
      body[field.name] ??= [];
      if (field.checked) body[field.name].push(field.value);
    } else if (type === "boolean") body[field.name] = field.type === "checkbox" ? field.checked : field.value === "true";
    else if (type === "time") body[field.name] = new Date(field.value).getTime();
    else body[field.name] = field.value;
  }
  return body;
}

async function send(form) {
  const { send: what, then, confirm: question } = form.dataset;
  if (question && !confirm(question)) return;
  const [method, path] = what.split(" ");
  const button = form.querySelector('button[type="submit"]');
  button.disabled = true;
  show(form.querySelector("[data-error]"), "");
  try {
    const answer = await request(method, path, { body: bodyOf(form) });
    if (then === "reload") location.reload();
    else if (then) location.assign(then);
    else showResult(form.querySelector("[data-result]"), answer);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const place = form.querySelector("[data-error]");
    if (place) show(place, error.help ? `${capital(error.message)}. ${capital(error.help)}.` : `${capital(error.message)}.`);
    else toast(error.message, { kind: "bad", help: error.help });
  } finally {
    button.disabled = false;
  }
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function show(place, text) {
  if (!place) return;
  place.textContent = text;
  place.hidden = text === "";
}

/** Shows secrets that the server returns only once: links of invitations, or a token. */
function showResult(place, answer) {
  place.hidden = false;
  const copyable = (text) => element("div.copyable", {}, element("button.button.quiet.small", { type: "button", data: { copy: "" } }, "Copy"), element("pre", { tabindex: "0" }, text));
  if (answer.token) return fill(place, element("p", {}, "Copy the token now; it is not shown again:"), copyable(answer.token));
  const lines = answer.map(({ name, path }) => (name ? `${name}\t${location.origin}${path}` : `${location.origin}${path}`));
  return fill(place, element("p", {}, "Give these links to the people; the links are not shown again:"), copyable(lines.join("\n")));
}

/** Requests the invitation in the URL, and hides the fields that it determines. */
async function showInvitation(form) {
  const leaveOut = (name) => {
    const field = form.elements[name];
    field.disabled = true;
    field.closest(".field").hidden = true;
  };
  try {
    const { invitation, reset } = await request("POST", "/join", { body: { code: form.elements.code.value } });
    if (invitation.name) leaveOut("name");
    if (reset) leaveOut("login");
    const title = document.querySelector("[data-join-title]");
    if (reset) title.textContent = `A new password for ${invitation.name}`;
    else if (invitation.name) title.textContent = `Join the class as ${invitation.name}`;
    if (reset) form.querySelector('button[type="submit"]').textContent = "Set the password";
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    form.hidden = true;
    show(document.querySelector("[data-invalid]"), error.help ? `${capital(error.message)}. ${capital(error.help)}.` : `${capital(error.message)}.`);
  }
}
