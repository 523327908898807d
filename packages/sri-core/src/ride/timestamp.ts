import { ecuadorTimestamp, toIssueDate } from '../calendar.js';

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

/** The moment of an SRI timestamp; null for a form that the SRI has never used. */
export function momentOf(text: string): Date | null {
  const old = /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d:\d\d:\d\d)$/.exec(text);
  const iso = old ? `${old[3]}-${old[2]}-${old[1]}T${old[4]}` : text.trim().replace(' ', 'T');
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/.test(iso)) return null;
  const moment = new Date(/(Z|[+-]\d\d:\d\d)$/.test(iso) ? iso : `${iso}-05:00`);
  return Number.isNaN(moment.getTime()) ? null : moment;
}
