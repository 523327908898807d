/** A text parsed as JSON, or its error. */
export type JsonRead = { readonly value: unknown } | { readonly wrong: { readonly es: string; readonly en: string } };

/** Parses JSON, and reports in both languages where it breaks off. Skips a byte order mark. */
export function parseJson(text: string): JsonRead {
  const plain = text.replace(/^\uFEFF/, '');
  try {
    return { value: JSON.parse(plain) };
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    return { wrong: { es: `no es JSON: ${inSpanish(message, plain)}.`, en: `is not JSON: ${message}` } };
  }
}

// --- internal ---

/** The engine's message is in English only; the position and the character found there are what helps. */
function inSpanish(message: string, text: string): string {
  const position = /at position (\d+)/.exec(message)?.[1];
  const token = /^Unexpected token '(.+?)',/su.exec(message)?.[1];
  if (position !== undefined && Number(position) < text.trimEnd().length) {
    const before = text.slice(0, Number(position)).split('\n');
    const place = `línea ${before.length}, columna ${(before.at(-1) ?? '').length + 1}`;
    return `algo falta o sobra en la ${place}`;
  }
  if (position !== undefined || /end of JSON/.test(message)) return 'se corta antes de terminar';
  return token === undefined ? 'no se puede leer' : `«${token}» está fuera de lugar`;
}
