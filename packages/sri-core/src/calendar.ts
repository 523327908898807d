/** A day as the SRI writes it, `DD/MM/YYYY`. */
export type IssueDate = string;
/** A day that sorts as text, `YYYY-MM-DD`. */
export type IsoDate = string;

/** Ecuador's mainland legal time: UTC−5 all year. The SRI dates every document by it. */
export const ECUADOR_TIME_ZONE = 'America/Guayaquil';
const ECUADOR_OFFSET_MS = -5 * 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
let lastDay = { day: 0, date: '1970-01-01' };

/** The calendar day in Ecuador at that moment. */
export function ecuadorDate(now: Date): IsoDate {
  const day = Math.floor((now.getTime() + ECUADOR_OFFSET_MS) / DAY_MS);
  // Callers usually ask for the same day again, and formatting a date is slow: the last day is cached.
  if (day !== lastDay.day) lastDay = { day, date: new Date(day * DAY_MS).toISOString().slice(0, 10) };
  return lastDay.date;
}

/** The moment in Ecuador's time with its offset and no fraction, `2026-11-21T07:30:00-05:00`, as in SigningTime. */
export function ecuadorTimestamp(now: Date): string {
  return `${new Date(now.getTime() + ECUADOR_OFFSET_MS).toISOString().slice(0, 19)}-05:00`;
}

/** `21/11/2026` → `2026-11-21`; null when the text is not a valid day (31/02, two-digit year, ISO order …). */
export function toIsoDate(date: IssueDate): IsoDate | null {
  const match = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(date);
  if (!match) return null;
  const iso = `${match[3]}-${match[2]}-${match[1]}`;
  const parsed = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(iso) ? iso : null;
}

/**
 * Rejects a day in another form: compared as text, `01/11/2026` selects the wrong rows.
 *
 * @param what names the field in the message.
 * @throws TypeError
 */
export function requireIsoDay(day: IsoDate, what: string): void {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || !toIsoDate(toIssueDate(day)))
    throw new TypeError(`${what} has to be a day in the form YYYY-MM-DD.`);
}

/** Rejects the days of a filter in another form. @throws TypeError */
export function requireIsoDays({ from, to }: { readonly from?: IsoDate; readonly to?: IsoDate }): void {
  if (from !== undefined) requireIsoDay(from, 'from');
  if (to !== undefined) requireIsoDay(to, 'to');
}

/** `2026-11-21` → `21/11/2026`. */
export function toIssueDate(date: IsoDate): IssueDate {
  return `${date.slice(8, 10)}/${date.slice(5, 7)}/${date.slice(0, 4)}`;
}

/**
 * The moment of a fechaAutorizacion; null when the text is not such a date. Besides the xs:dateTime of the web service it
 * reads the two forms of archived files, `dd/mm/aaaa hh:mm:ss` and `aaaa-mm-dd hh:mm:ss`. A text without an offset is in
 * Ecuador's time.
 */
export function momentOf(text: string): Date | null {
  const [, day, time, offset] = ISO_MOMENT.exec(text.trim()) ?? [];
  const [, date, month, year, clock] = OLD_MOMENT.exec(text.trim()) ?? [];
  const iso = day ? `${day}T${time}${offset || ECUADOR_OFFSET}` : `${year}-${month}-${date}T${clock}${ECUADOR_OFFSET}`;
  const moment = new Date(iso);
  // JavaScript would parse a day outside the calendar, such as the 31st of November, as the next day.
  return Number.isNaN(moment.getTime()) || !toIsoDate(toIssueDate(iso)) ? null : moment;
}

// --- internal ---

const ECUADOR_OFFSET = '-05:00';
const ISO_MOMENT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(Z|[+-]\d{2}:\d{2})?$/;
const OLD_MOMENT = /^(\d{2})\/(\d{2})\/(\d{4}) (\d{2}:\d{2}:\d{2})$/;
