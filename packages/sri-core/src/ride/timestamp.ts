import { ecuadorTimestamp, toIssueDate } from '../calendar.js';

/**
 * The moment of authorization as people in Ecuador read it, `16/09/2026 07:50:56`.
 *
 * @param text as the SRI wrote it: `xs:dateTime` of any offset, or the older `dd/mm/aaaa hh:mm:ss` and
 * `aaaa-mm-dd hh:mm:ss`, which are Ecuador's time already. Anything else comes back as it is.
 */
export function printedTimestamp(text: string): string {
  const moment = momentOf(text);
  if (!moment) return text;
  const inEcuador = ecuadorTimestamp(moment);
  return `${toIssueDate(inEcuador.slice(0, 10))} ${inEcuador.slice(11, 19)}`;
}

/** The moment a timestamp of the SRI names; null when it is in no form the SRI has used. */
export function momentOf(text: string): Date | null {
  const old = /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d:\d\d:\d\d)$/.exec(text);
  const iso = old ? `${old[3]}-${old[2]}-${old[1]}T${old[4]}` : text.trim().replace(' ', 'T');
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/.test(iso)) return null;
  const moment = new Date(/(Z|[+-]\d\d:\d\d)$/.test(iso) ? iso : `${iso}-05:00`);
  return Number.isNaN(moment.getTime()) ? null : moment;
}
