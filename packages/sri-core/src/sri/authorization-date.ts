/**
 * The moment of a fechaAutorizacion in milliseconds since 1970; null when the text is not such a date. Besides the
 * xs:dateTime of the web service it reads the two forms of archived files, `dd/mm/aaaa hh:mm:ss` and `aaaa-mm-dd hh:mm:ss`.
 * A text without an offset is in Ecuador's time.
 */
export function authorizationMoment(text: string): number | null {
  const [, day, time, offset] = ISO.exec(text) ?? [];
  const [, date, month, year, clock] = OLD.exec(text) ?? [];
  const iso = day ? `${day}T${time}${offset || ECUADOR}` : `${year}-${month}-${date}T${clock}${ECUADOR}`;
  const moment = Date.parse(iso);
  // JavaScript would parse a day outside the calendar, such as the 31st of November, as the next day.
  const isInCalendar = new Date(`${iso.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(iso.slice(8, 10));
  return Number.isNaN(moment) || !isInCalendar ? null : moment;
}

// --- internal ---

const ECUADOR = '-05:00';
const ISO = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(Z|[+-]\d{2}:\d{2})?$/;
const OLD = /^(\d{2})\/(\d{2})\/(\d{4}) (\d{2}:\d{2}:\d{2})$/;
