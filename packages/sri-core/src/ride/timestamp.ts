import { ecuadorTimestamp, momentOf, toIssueDate } from '../calendar.js';

/**
 * Formats the moment of authorization in Ecuador's time, `16/09/2026 07:50:56`.
 *
 * @param text as the SRI wrote it: `xs:dateTime` of any offset, or the older `dd/mm/aaaa hh:mm:ss` and `aaaa-mm-dd
 * hh:mm:ss`, which are in Ecuador's time. Any other text returns unchanged.
 */
export function printedTimestamp(text: string): string {
  const moment = momentOf(text);
  if (!moment) return text;
  const inEcuador = ecuadorTimestamp(moment);
  return `${toIssueDate(inEcuador.slice(0, 10))} ${inEcuador.slice(11, 19)}`;
}
