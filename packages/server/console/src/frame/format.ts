import type { ListedIssuer } from 'sri-core/client';
import { language } from './language.js';

/** An amount with its thousands, in the form of Ecuador: `$1,234.50`. Empty for an unknown amount. */
export function dollars(amount: string | null | undefined): string {
  return amount ? DOLLARS.format(amount as `${number}`) : '–';
}

/** A count with its thousands. */
export function counted(count: number): string {
  return count.toLocaleString('en-US');
}

/** A moment in Ecuador's time. */
export function when(iso: string | null | undefined, { time = true } = {}): string {
  if (!iso) return '–';
  return new Intl.DateTimeFormat(`${language()}-EC`, {
    dateStyle: 'medium',
    timeZone: 'America/Guayaquil',
    ...(time ? { timeStyle: 'short', hourCycle: 'h23' } : {}),
  }).format(new Date(iso));
}

/** Whole days until a moment; negative after it. */
export function daysUntil(iso: string): number {
  return Math.floor((new Date(iso).getTime() - Date.now()) / 86_400_000);
}

/** Today in Ecuador as documents write days, `21/11/2026`. */
export function today(): string {
  return new Date().toLocaleDateString('en-GB', { timeZone: 'America/Guayaquil' });
}

/** A day of a date field as documents write it, and back. */
export const toIssueDate = (day: string) => day.split('-').reverse().join('/');
export const toFieldDate = (day: string) => day.split('/').reverse().join('-');

/** The number of a document, which its access key holds: `001-002-000000123`. */
export function numberOf(accessKey: string): string {
  return `${accessKey.slice(24, 27)}-${accessKey.slice(27, 30)}-${accessKey.slice(30, 39)}`;
}

/** The point that issued a document; undefined for a removed point. */
export function pointOf<Point extends Parameters<typeof placeOf>[0]>(points: readonly Point[], accessKey: string) {
  return points.find((each) => placeOf(each) === numberOf(accessKey).slice(0, 7));
}

/** The point with its name. */
export function titleOf({ tradeName, businessName, ...point }: ListedIssuer): string {
  return `${placeOf(point)} ${tradeName ?? businessName}`;
}

/** The point in a number: `001-002`. */
export function placeOf({ branchCode, issuePointCode }: { branchCode: string; issuePointCode: string }): string {
  return `${branchCode}-${issuePointCode}`;
}

// --- internal ---

const DOLLARS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 6 });
