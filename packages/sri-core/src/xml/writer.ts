/** The XML declaration of a comprobante. It is not part of the signed content. */
export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Escapes text between tags as canonical XML does. */
export function escapeText(text: string): string {
  return TEXT_SPECIAL.test(text) ? text.replace(TEXT_SPECIALS, escapeCharacter) : text;
}

/** Escapes attribute text as canonical XML does; `>` stays. */
export function escapeAttribute(text: string): string {
  return ATTRIBUTE_SPECIAL.test(text) ? text.replace(ATTRIBUTE_SPECIALS, escapeCharacter) : text;
}

/** `<name>text</name>`. `name` is written unchanged. */
export function element(name: string, text: string): string {
  return `<${name}>${escapeText(text)}</${name}>`;
}

/** An element, or nothing for an absent text: the schemas accept no empty elements. */
export function optionalElement(name: string, text: string | null | undefined): string {
  return text ? element(name, text) : '';
}

// --- internal ---

const TEXT_SPECIAL = /[&<>\r]/;
const TEXT_SPECIALS = /[&<>\r]/g;
const ATTRIBUTE_SPECIAL = /[&<"\t\n\r]/;
const ATTRIBUTE_SPECIALS = /[&<"\t\n\r]/g;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

function escapeCharacter(character: string): string {
  return ESCAPES[character] ?? character;
}
