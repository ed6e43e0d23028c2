// What is typed into a form, kept in the address of its page, so that it can be shared and loaded again.
//
// typed(form)         -> [[name, value]] of the fields that are filled
// toAddress(form)     puts them into the address; fromAddress(form) fills the form with them

/** @param {HTMLFormElement} form @returns {[string, string][]} */
export const typed = (form) => Array.from(new FormData(form), ([name, value]) => /** @type {[string, string]} */ ([name, String(value)])).filter(([, value]) => value);

/** @param {HTMLFormElement} form */
export const toAddress = (form) => history.replaceState(null, "", `?${new URLSearchParams(typed(form))}`);

/** @param {HTMLFormElement} form */
export function fromAddress(form) {
  for (const [name, value] of new URLSearchParams(location.search)) {
    const field = /** @type {any} */ (form.elements.namedItem(name));
    if (field?.type === "checkbox") field.checked = value === "true";
    else if (field) field.value = value;
  }
}
