import type { SriMessage } from '../storage.js';
import { child, children, childText, type XmlElement } from '../xml/reader.js';

/** The most messages of an answer. */
export const MAX_MESSAGES = 100;

/**
 * The messages below an element, unchanged.
 *
 * @returns null without messages. More than 100 messages, and texts beyond 4000 characters, are cut: an answer is stored
 * with the document and must stay bounded.
 */
export function readMessages(element: XmlElement): readonly SriMessage[] | null {
  const found = children(child(element, 'mensajes'), 'mensaje').slice(0, MAX_MESSAGES).map(toMessage);
  return found.length > 0 ? found : null;
}

// --- internal ---

const MAX_TEXT = 4_000;

function toMessage(element: XmlElement): SriMessage {
  const text = (name: string) => cut(childText(element, name) ?? '');
  return {
    identifier: text('identificador'),
    // The element and the text inside it have the same name; a message without children is its own text.
    message: cut(childText(element, 'mensaje') ?? element.text.trim()),
    additionalInfo: text('informacionAdicional') || null,
    type: text('tipo'),
  };
}

/** The cut may fall within a character of two units; the archived XML cannot carry its half. */
function cut(text: string): string {
  return text.slice(0, MAX_TEXT).toWellFormed();
}
