/** Whether the text is one plain address, `local@domain`, without display name, quotes, comments or line breaks. */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && ADDRESS.test(text);
}

/** The text if it is an address; otherwise null. */
export function toEmailAddress(text: string): string | null {
  return isEmailAddress(text) ? text : null;
}

// --- internal ---

const MAX_LENGTH = 254;
const ADDRESS =
  /^(?=[^@]{1,64}@)[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/i;
