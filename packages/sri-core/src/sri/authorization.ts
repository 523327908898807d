import { type AccessKey, isAccessKey, parseAccessKey } from '../access-key.js';
import { type Environment, fromAmbiente } from '../environment.js';
import type { SriMessage } from '../storage.js';
import { child, children, childText, type XmlElement } from '../xml/reader.js';
import { readMessages } from './messages.js';

/** What the SRI says of one access key. */
export type AuthorizationAnswer = Authorized | NotAuthorized | Pending;

/** It is a tax document. */
export interface Authorized {
  readonly outcome: 'authorized';
  readonly status: 'AUTORIZADO';
  /** In the off-line scheme the access key itself. */
  readonly number: string;
  /** As the SRI wrote it, with its offset; empty in the case, never seen, that it gave none. */
  readonly date: string;
  readonly environment: Environment;
  /** The file the SRI holds; null when it did not send it. */
  readonly comprobante: string | null;
  readonly messages: readonly SriMessage[] | null;
}

/** It was refused; the corrected document goes out under the same key. */
export interface NotAuthorized {
  readonly outcome: 'notAuthorized';
  /** `NO_AUTORIZADO`, `RECHAZADA` or `RECHAZADO`. */
  readonly status: string;
  readonly comprobante: string | null;
  readonly messages: readonly SriMessage[] | null;
}

/** No decision yet, or none about this key. */
export interface Pending {
  readonly outcome: 'pending';
  /** `SIN_RESPUESTA`, `EN_PROCESO`, or an estado that is not known. */
  readonly status: string;
  readonly messages: readonly SriMessage[] | null;
  /** False when the SRI shows nothing of the key, be it unknown or not looked at yet: it answers both alike. */
  readonly known: boolean;
  /** True when the answer was about another key, and was therefore not taken. */
  readonly aboutAnotherKey: boolean;
}

/**
 * Reads a RespuestaAutorizacionComprobante about one key. Several authorizations may come: an AUTORIZADO wins, else the
 * latest refusal; whatever is neither is pending.
 *
 * @see Ficha técnica off-line v2.34, §8, §5.11 and §16.
 */
export function readAuthorization(answer: XmlElement, accessKey: AccessKey): AuthorizationAnswer {
  const asked = (childText(answer, 'claveAccesoConsultada') ?? '').replace(/\s/g, '');
  if (asked !== '' && asked !== accessKey) return { ...NOTHING, aboutAnotherKey: true };
  const all = children(child(answer, 'autorizaciones'), 'autorizacion');
  const entries = all.filter((entry) => isAbout(entry, accessKey)).map(toEntry);
  const authorized = latest(entries, (status) => status === 'AUTORIZADO');
  if (authorized) {
    return {
      outcome: 'authorized',
      status: 'AUTORIZADO',
      number: authorized.number || accessKey,
      date: authorized.date,
      environment: authorized.environment ?? parseAccessKey(accessKey).environment,
      comprobante: authorized.comprobante,
      messages: authorized.messages,
    };
  }
  const refused = latest(entries, (status) => REFUSALS.has(status));
  if (refused) {
    const { status, comprobante, messages } = refused;
    return { outcome: 'notAuthorized', status, comprobante, messages };
  }
  const pending = entries.at(-1);
  if (!pending) return { ...NOTHING, aboutAnotherKey: all.length > 0 };
  return {
    outcome: 'pending',
    status: pending.status || 'EN_PROCESO',
    messages: pending.messages,
    known: true,
    aboutAnotherKey: false,
  };
}

/** An `<autorizacion>` element, as it stands in an answer and in an archived file. */
export interface AuthorizationEntry {
  /** The estado in capitals with underscores, the SRI's abbreviations written out. */
  readonly status: string;
  readonly number: string;
  readonly date: string;
  readonly environment: Environment | null;
  readonly comprobante: string | null;
  readonly messages: readonly SriMessage[] | null;
}

/** Reads one `<autorizacion>` element, judging nothing. */
export function toEntry(element: XmlElement): AuthorizationEntry {
  return {
    status: toStatus(childText(element, 'estado') ?? ''),
    number: childText(element, 'numeroAutorizacion') ?? '',
    date: childText(element, 'fechaAutorizacion') ?? '',
    environment: toEnvironment(childText(element, 'ambiente') ?? ''),
    // CDATA and escaped text read alike. A byte order mark or blanks around the document are no part of it.
    comprobante:
      child(element, 'comprobante')
        ?.text.replace(/^\uFEFF/, '')
        .trim() || null,
    messages: readMessages(element),
  };
}

// --- internal ---

const NOTHING = { outcome: 'pending', status: 'SIN_RESPUESTA', messages: null, known: false } as const;
const REFUSALS: ReadonlySet<string> = new Set(['NO_AUTORIZADO', 'NO_AUTORIZADA', 'RECHAZADO', 'RECHAZADA']);
/** Ficha técnica off-line v2.34 abbreviates the states in its tables. */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ['AUT', 'AUTORIZADO'],
  ['AUTORIZADA', 'AUTORIZADO'],
  ['NAT', 'NO_AUTORIZADO'],
  ['PPR', 'EN_PROCESO'],
]);

function isAbout(entry: XmlElement, accessKey: AccessKey): boolean {
  const number = childText(entry, 'numeroAutorizacion') ?? '';
  return number === accessKey || !isAccessKey(number);
}

function toStatus(estado: string): string {
  const status = estado
    .trim()
    .toUpperCase()
    .replace(/[\s_-]+/g, '_')
    .slice(0, 40);
  return ABBREVIATIONS.get(status) ?? status;
}

function toEnvironment(ambiente: string): Environment | null {
  const name = ambiente.toUpperCase();
  if (name === 'PRUEBAS') return 'sandbox';
  return /^PRODUCCI[OÓ]N$/.test(name) ? 'production' : fromAmbiente(name);
}

/** The one with the latest date; those without a date, or of one moment, count in the order they came. */
function latest(
  entries: readonly AuthorizationEntry[],
  wanted: (status: string) => boolean,
): AuthorizationEntry | null {
  let found: AuthorizationEntry | null = null;
  for (const entry of entries) {
    if (wanted(entry.status) && (!found || moment(entry) >= moment(found))) found = entry;
  }
  return found;
}

function moment(entry: AuthorizationEntry): number {
  const parsed = Date.parse(entry.date);
  return Number.isNaN(parsed) ? 0 : parsed;
}
