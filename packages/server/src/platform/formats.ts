import { ecuadorDate, ecuadorTimestamp, type IsoDate, type Language, momentOf } from 'sri-core';

/** A day in a text for people: `24 de noviembre de 2026`. Of a moment, the day in Ecuador. */
export function formatDay(day: IsoDate | Date, language: Language): string {
  return DAYS[language].format(new Date(`${day instanceof Date ? ecuadorDate(day) : day}T00:00:00Z`));
}

/** A moment in Ecuador's time, such as one of the SRI: `24 de noviembre de 2026, 10:15`; a text of no known form as it is. */
export function formatMoment(text: string, language: Language): string {
  const moment = momentOf(text);
  return moment ? `${formatDay(moment, language)}, ${ecuadorTimestamp(moment).slice(11, 16)}` : text;
}

/** An amount in a text for people, in both languages: `$1,234.50`, with the point of the RIDE. */
export function formatAmount(amount: string): string {
  return amount === '' ? '' : DOLLARS.format(amount as `${number}`);
}

// --- internal ---

const DAYS: Readonly<Record<Language, Intl.DateTimeFormat>> = {
  es: new Intl.DateTimeFormat('es-EC', { dateStyle: 'long', timeZone: 'UTC' }),
  en: new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }),
};

const DOLLARS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
