/** The fields of a form: texts, files, a list for a repeated field, and null for a field that is left out. */
export type FormFields = Readonly<Record<string, string | readonly string[] | Uint8Array | null>>;

/** A form with those fields. */
export function formOf(fields: FormFields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === null) continue;
    if (value instanceof Uint8Array) form.append(name, new Blob([new Uint8Array(value)]), `${name}.bin`);
    else for (const text of [value].flat()) form.append(name, text as string);
  }
  return form;
}
