import type { SriMessage } from '../storage.js';
import { child, children, childText, type XmlElement } from '../xml/reader.js';

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

const MAX_MESSAGES = 100;
const MAX_TEXT = 4_000;

function toMessage(element: XmlElement): SriMessage {
  const text = (name: string) => childText(element, name)?.slice(0, MAX_TEXT) ?? null;
  return {
    identifier: text('identificador') ?? '',
    // The element and the text inside it have the same name; a message without children is its own text.
    message: text('mensaje') ?? element.text.trim().slice(0, MAX_TEXT),
    additionalInfo: text('informacionAdicional') || null,
    type: text('tipo') ?? '',
  };
}
