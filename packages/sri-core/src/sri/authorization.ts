import { type AccessKey, isAccessKey, parseAccessKey } from '../access-key.js';
import { momentOf } from '../calendar.js';
import { type Environment, fromAmbiente } from '../environment.js';
import type { SriMessage } from '../storage.js';
import { child, children, childText, type XmlElement } from '../xml/reader.js';
import { readMessages } from './messages.js';

/** The SRI's answer about one access key. */
export type AuthorizationAnswer = Authorized | NotAuthorized | Pending;

/** The document is authorized. */
export interface Authorized {
  readonly outcome: 'authorized';
  readonly status: 'AUTORIZADO';
  /** In the off-line scheme, the access key. */
  readonly number: string;
  /** As the SRI wrote it, with its offset. */
  readonly date: string;
  readonly environment: Environment;
  /** The file that the SRI holds; null when the answer does not include it. */
  readonly comprobante: string | null;
  readonly messages: readonly SriMessage[] | null;
}

/** The document was rejected; its correction uses the same key. */
export interface NotAuthorized {
  readonly outcome: 'notAuthorized';
  /** `NO_AUTORIZADO`, `RECHAZADA` or `RECHAZADO`. */
  readonly status: string;
  readonly comprobante: string | null;
  readonly messages: readonly SriMessage[] | null;
}

/** No decision yet, or an unusable one. */
export interface Pending {
  readonly outcome: 'pending';
  /** `SIN_RESPUESTA`, `EN_PROCESO`, or the estado of an unusable answer. */
  readonly status: string;
  readonly messages: readonly SriMessage[] | null;
  /** False when the SRI shows nothing about the key. An unknown key and an unprocessed one look the same. */
  readonly known: boolean;
  /** Why the answer is unusable, as a sentence; null while the SRI is processing. */
  readonly problem: string | null;
}

/**
 * Reads a RespuestaAutorizacionComprobante about one key. Among several authorizations an AUTORIZADO wins, else the latest
 * refusal; all others are pending. An authorization that contradicts itself or the key is unusable. It also blocks the
 * others, unless one is an AUTORIZADO.
 *
 * @see Ficha técnica off-line v2.34, §8, §5.11 and §16.
 */
export function readAuthorization(answer: XmlElement, accessKey: AccessKey): AuthorizationAnswer {
  const asked = (childText(answer, 'claveAccesoConsultada') ?? '').replace(/\s/g, '');
  if (asked !== '' && asked !== accessKey) return { ...NOTHING, problem: ABOUT_ANOTHER_KEY };
  const all = children(child(answer, 'autorizaciones'), 'autorizacion');
  const read = all
    .filter((entry) => isAbout(entry, accessKey))
    .map((element) => {
      const entry = toEntry(element);
      return { entry, problem: problemOf(element, entry, accessKey) };
    });
  const sound = read.filter(({ problem }) => problem === null).map(({ entry }) => entry);
  const authorized = latest(sound, (status) => status === 'AUTORIZADO');
  if (authorized) {
    const { date, comprobante, messages } = authorized;
    const { environment } = parseAccessKey(accessKey);
    return { outcome: 'authorized', status: 'AUTORIZADO', number: accessKey, date, environment, comprobante, messages };
  }
  const spoilt = read.findLast(({ problem }) => problem !== null);
  const refused = spoilt ? null : latest(sound, isRefusal);
  if (refused) {
    const { status, comprobante, messages } = refused;
    return { outcome: 'notAuthorized', status, comprobante, messages };
  }
  const pending = spoilt ?? read.at(-1);
  if (!pending) return { ...NOTHING, problem: all.length > 0 ? ABOUT_ANOTHER_KEY : null };
  const { status, messages } = pending.entry;
  return { outcome: 'pending', status: status || 'SIN_ESTADO', messages, known: true, problem: pending.problem };
}

/** An `<autorizacion>` element, in an answer or an archived file. */
export interface AuthorizationEntry {
  /** The estado in capitals with underscores, with the SRI's abbreviations expanded. */
  readonly status: string;
  readonly number: string;
  readonly date: string;
  readonly environment: Environment | null;
  readonly comprobante: string | null;
  readonly messages: readonly SriMessage[] | null;
}

/** Reads one `<autorizacion>` element without checks. */
export function toEntry(element: XmlElement): AuthorizationEntry {
  return {
    status: toStatus(childText(element, 'estado') ?? ''),
    number: childText(element, 'numeroAutorizacion') ?? '',
    date: childText(element, 'fechaAutorizacion') ?? '',
    environment: toEnvironment(childText(element, 'ambiente') ?? ''),
    // CDATA and escaped text are equivalent. A byte order mark or blanks around the document are not part of it.
    comprobante: childText(element, 'comprobante') || null,
    messages: readMessages(element),
  };
}

/** Whether an estado, as `toEntry` writes it, is a refusal. */
export function isRefusal(status: string): boolean {
  return REFUSALS.has(status);
}

// --- internal ---

const NOTHING = { outcome: 'pending', status: 'SIN_RESPUESTA', messages: null, known: false } as const;
const ABOUT_ANOTHER_KEY = 'The SRI answered about another access key; that answer was not taken.';
/** The single fields of an authorization. */
const SAID_ONCE = ['estado', 'numeroAutorizacion', 'fechaAutorizacion', 'ambiente', 'comprobante'] as const;
const REFUSALS: ReadonlySet<string> = new Set(['NO_AUTORIZADO', 'NO_AUTORIZADA', 'RECHAZADO', 'RECHAZADA']);
/** Ficha técnica off-line v2.34 abbreviates the states in its tables. */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ['AUT', 'AUTORIZADO'],
  ['AUTORIZADA', 'AUTORIZADO'],
  ['NAT', 'NO_AUTORIZADO'],
  ['PPR', 'EN_PROCESO'],
]);

/** Why an authorization is unusable, as a sentence; null for a usable one. */
function problemOf(element: XmlElement, entry: AuthorizationEntry, accessKey: AccessKey): string | null {
  const twice = SAID_ONCE.find((name) => children(element, name).length > 1);
  if (twice) return `The SRI's answer has ${twice} more than once; it was not taken.`;
  const { status, number, date, environment } = entry;
  if (status === '') return "The SRI's answer has no estado; it was not taken.";
  const isVerdict = status === 'AUTORIZADO' || isRefusal(status);
  if (!isVerdict && status !== 'EN_PROCESO')
    return `The SRI answered with an unknown estado, ${status}; it was not taken.`;
  if (!isVerdict) return null;
  const writesAmbiente = (childText(element, 'ambiente') ?? '') !== '';
  if (writesAmbiente && environment !== parseAccessKey(accessKey).environment) {
    return 'The SRI answered for another ambiente than that of the access key; the answer was not taken.';
  }
  if (status !== 'AUTORIZADO') return null;
  if (number !== '' && number !== accessKey) {
    return 'The SRI answered AUTORIZADO with a numeroAutorizacion that is not the access key; it was not taken.';
  }
  if (momentOf(date) !== null) return null;
  return `The SRI answered AUTORIZADO ${date === '' ? 'without a fechaAutorizacion' : 'with a fechaAutorizacion that is no date'}; it was not taken.`;
}

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

/** The latest by date; entries without a date, or with equal dates, count in document order. */
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
  return momentOf(entry.date)?.getTime() ?? 0;
}
