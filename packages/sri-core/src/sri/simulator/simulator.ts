import { createHash } from 'node:crypto';
import { requireOptions } from '../../choice.js';
import { type Clock, systemClock } from '../../clock.js';
import type { Environment } from '../../environment.js';
import { AUTHORIZATION, CONSULTATION, RECEPTION, SRI_SERVICES_PATH } from '../soap.js';
import type { Transport } from '../transport.js';
import { showAuthorizations } from './authorization-service.js';
import { consult } from './consultation-service.js';
import { type Disturbance, disturb } from './disturbance.js';
import { createLedger } from './ledger.js';
import { type Arrival, openSubmission, type ReceptionService, receive } from './reception-service.js';
import { readSoapRequest } from './soap-request.js';
import { createStrangers } from './strangers.js';
import { authorizationAnswer, consultationAnswer, receptionAnswer, soapFault, soapResponse } from './wire.js';
import { describeService } from './wsdl.js';

/** The behaviour of the simulated SRI. Times in milliseconds of `clock`. */
export interface SimulatorOptions {
  readonly clock?: Clock;
  /** From RECIBIDA to the verdict; until then a key is hidden or in process. Default 0. */
  readonly authorizationDelayMs?: number;
  /** Delay of every answer. Default 0. */
  readonly latencyMs?: number;
  /** Default true; false authorizes documents without a signature. */
  readonly checkSignature?: boolean;
  /** Returns the earlier submission of an unknown key, for a simulator that outlives its process. Null without one. */
  readonly recall?: (accessKey: string) => Promise<string | null>;
  /** Maximum documents, and journal entries, to remember; the oldest are dropped first. Default 10 000. */
  readonly capacity?: number;
  /** Called after each request, answered or not. */
  readonly onSettled?: (entry: SimulatorEntry) => void;
}

/** One request that reached the simulator. */
export interface SimulatorEntry {
  readonly at: Date;
  readonly operation: 'reception' | 'authorization' | 'consultation';
  /** From the host; null for a host of both environments. */
  readonly environment: Environment | null;
  /** As written in the request; null without a readable one. */
  readonly accessKey: string | null;
  /** SHA-256 in hex of the comprobante's bytes, which a retry must not change; null without a comprobante. */
  readonly sha256: string | null;
  /** `RECIBIDA`, `DEVUELTA 35`, `AUTORIZADO`, `SIN RESPUESTA` …; the kind of a disturbance; empty while the request runs. */
  readonly outcome: string;
}

/** An SRI in memory. */
export interface Simulator {
  /** A transport that answers as the SRI does. It needs no `this`. */
  readonly handle: Transport;
  /** Every request, oldest first. */
  readonly journal: readonly SimulatorEntry[];
  /** The document of a key and its current state; null for an unknown key. */
  find(accessKey: string): Promise<{ readonly estado: string; readonly xml: string } | null>;
  /** Disturbs the next requests of the operation in order, for any counterparty. */
  script(operation: SimulatorEntry['operation'], ...disturbances: readonly Disturbance[]): void;
  /** Clears documents, journal and scripts. */
  reset(): void;
}

/**
 * Creates an SRI for tests, demonstrations and sandboxes. It parses the SOAP and checks structure, key, dates,
 * signature and sums. It remembers keys and numbers, and answers with the codes and form of the real one. It has no
 * registries of taxpayers and certificates, so it skips those checks. MAGIC_BUYERS force an outcome, and MAGIC_KEYS are
 * documents of others.
 *
 * @throws TypeError for a misspelt option.
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  requireOptions(OPTIONS, options, 'createSimulator');
  const { clock = systemClock, latencyMs = 0, capacity = 10_000 } = options;
  const { authorizationDelayMs = 0, checkSignature = true } = options;
  const ledger = createLedger(capacity);
  const strangers = createStrangers();
  const service: ReceptionService = { ledger, authorizationDelayMs, checkSignature };
  const journal: { -readonly [Field in keyof SimulatorEntry]: SimulatorEntry[Field] }[] = [];
  const scripts = {
    reception: [] as Disturbance[],
    authorization: [] as Disturbance[],
    consultation: [] as Disturbance[],
  };
  const disturbedTimes = new Map<string, number>();
  let lastReception: Promise<unknown> = Promise.resolve();

  function note(entry: Omit<SimulatorEntry, 'at' | 'outcome'>): (typeof journal)[number] {
    const noted = { ...entry, at: clock.now(), outcome: '' };
    journal.push(noted);
    if (journal.length > capacity) journal.shift();
    return noted;
  }

  /** Lookup and storage of a key are one step, even under concurrent submissions. */
  function oneByOne<T>(work: () => Promise<T>): Promise<T> {
    const done = lastReception.then(work);
    lastReception = done.catch(() => {});
    return done;
  }

  /** The disturbance of this submission: from a script, or from the counterparty while its effect lasts. */
  function disturbanceOf({ accessKey, effect }: Arrival): Disturbance {
    const scripted = scripts.reception.shift();
    if (scripted) return scripted;
    if (effect?.kind !== 'disturbed') return UNDISTURBED;
    const times = disturbedTimes.get(accessKey) ?? 0;
    if (times >= effect.times) return UNDISTURBED;
    disturbedTimes.set(accessKey, times + 1);
    if (disturbedTimes.size > capacity) disturbedTimes.delete(String(disturbedTimes.keys().next().value));
    return effect.by;
  }

  /** Answers, disturbed or not, and notes the outcome. @param answer the outcome and the envelope of an undisturbed answer. */
  function settle(
    entry: (typeof journal)[number],
    disturbance: Disturbance,
    request: Request,
    answer: () => Promise<readonly [outcome: string, envelope: string]>,
  ): Promise<Response> {
    entry.outcome = disturbance.kind;
    const response = disturb(disturbance, request, async () => {
      const [outcome, envelope] = await answer();
      if (disturbance.kind === 'none') entry.outcome = outcome;
      return soapResponse(envelope);
    });
    return response.finally(() => options.onSettled?.(entry));
  }

  async function answerReception(request: Request, argument: string, environment: Environment | null) {
    const bytes = Buffer.from(argument, 'base64');
    const arrival = openSubmission(bytes);
    const { accessKey } = arrival;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const entry = note({ operation: 'reception', environment, accessKey, sha256 });
    return settle(entry, disturbanceOf(arrival), request, async () => {
      const messages = await oneByOne(() => receive(service, arrival, { now: clock.now(), environment }));
      const outcome = ['DEVUELTA', ...messages.map(({ identifier }) => identifier)].join(' ');
      return [messages.length === 0 ? 'RECIBIDA' : outcome, receptionAnswer(accessKey, messages)];
    });
  }

  /** The state of a key, restored from an earlier simulator when this one does not know it. */
  async function remembered(accessKey: string, environment: Environment | null) {
    const standing = await ledger.standing(accessKey, clock.now());
    const xml = standing.kind === 'unknown' ? await options.recall?.(accessKey) : null;
    if (!xml) return standing;
    const arrival = openSubmission(Buffer.from(xml));
    await oneByOne(() => receive(service, arrival, { now: clock.now(), environment }));
    return ledger.standing(accessKey, clock.now());
  }

  async function answerAuthorization(request: Request, argument: string, environment: Environment | null) {
    const accessKey = argument.trim();
    const entry = note({ operation: 'authorization', environment, accessKey, sha256: null });
    const standing = await remembered(accessKey, environment);
    const effect = standing.kind === 'unknown' ? null : standing.held.effect;
    const byBuyer = effect?.kind === 'authorizationDisturbed' ? effect.by : UNDISTURBED;
    return settle(entry, scripts.authorization.shift() ?? byBuyer, request, async () => {
      const shown = await showAuthorizations({ ledger, strangers }, accessKey, { now: clock.now(), environment });
      return [shown[0]?.estado ?? 'SIN RESPUESTA', authorizationAnswer(accessKey, shown)];
    });
  }

  async function answerConsultation(request: Request, argument: string, environment: Environment | null) {
    const accessKey = argument.trim();
    const entry = note({ operation: 'consultation', environment, accessKey, sha256: null });
    return settle(entry, scripts.consultation.shift() ?? UNDISTURBED, request, async () => {
      await remembered(accessKey, environment);
      const consulted = await consult({ ledger, strangers }, accessKey, { now: clock.now(), environment });
      return [consulted.estado, consultationAnswer(accessKey, consulted)];
    });
  }

  async function handle(request: Request): Promise<Response> {
    if (latencyMs > 0) await clock.sleep(latencyMs, request.signal);
    const url = new URL(request.url);
    const operation = [RECEPTION, AUTHORIZATION, CONSULTATION].find(({ service: name }) =>
      url.pathname.endsWith(`${SRI_SERVICES_PATH}/${name}`),
    );
    if (!operation) return new Response('Not Found', { status: 404, headers: { 'content-type': 'text/plain' } });
    if (request.method === 'GET' && /^\?wsdl$/i.test(url.search)) {
      return soapResponse(describeService(operation, url.origin + url.pathname));
    }
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    const reading = readSoapRequest(await request.text(), operation);
    if (reading.kind === 'fault') return soapFault(reading.text, reading.code);
    const argument = reading.argument ?? '';
    const environment = environmentOf(url.hostname);
    if (operation.name === AUTHORIZATION.name) return answerAuthorization(request, argument, environment);
    if (operation.name === CONSULTATION.name) return answerConsultation(request, argument, environment);
    if (!BASE64.test(argument.trimEnd())) return soapFault('Unmarshalling Error: the content is not base64Binary.');
    return answerReception(request, argument, environment);
  }

  return {
    handle,
    journal,
    async find(accessKey) {
      const standing = await ledger.standing(accessKey, clock.now());
      if (standing.kind === 'unknown') return null;
      const { xml } = standing.held;
      if (standing.kind === 'inProcess') return { estado: 'EN PROCESO', xml };
      return { estado: standing.verdict.authorized ? 'AUTORIZADO' : 'NO AUTORIZADO', xml };
    },
    script: (operation, ...disturbances) => void scripts[operation].push(...disturbances),
    reset() {
      ledger.clear();
      disturbedTimes.clear();
      journal.length = 0;
      scripts.reception.length = 0;
      scripts.authorization.length = 0;
      scripts.consultation.length = 0;
    },
  };
}

// --- internal ---

const OPTIONS = [
  'clock',
  'authorizationDelayMs',
  'latencyMs',
  'checkSignature',
  'recall',
  'capacity',
  'onSettled',
] satisfies (keyof SimulatorOptions)[];

const UNDISTURBED: Disturbance = { kind: 'none' };
const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}$/;

/** The SRI has one host per environment. Any other host, such as a loopback address, serves both. */
function environmentOf(hostname: string): Environment | null {
  if (hostname === 'celcer.sri.gob.ec') return 'sandbox';
  return hostname === 'cel.sri.gob.ec' ? 'production' : null;
}
