import { createHash } from 'node:crypto';
import type { Clock, Transport } from 'sri-core';
import type { SeededRandom } from './seeded-random.js';

/** The fault of one call to the SRI. */
export type Roughness =
  /** Nothing passes in either direction. */
  | 'refused'
  /** The SRI processes the call and the connection fails: it is reset, closed, or silent until the timeout. */
  | 'lost'
  | 'closed'
  | 'silent'
  /** The call times out, and reaches the SRI minutes later. */
  | 'stuck'
  /** The SRI processes the call. The answer is truncated, a page, an HTTP error or a SOAP fault. */
  | 'truncated'
  | 'page'
  | 'httpError'
  | 'fault'
  /** The network delivers the call twice; the client gets the second answer. */
  | 'doubled'
  /** The first answer is already `43` or `70`, as if the SRI had the document. */
  | 'registered'
  | 'inProcess'
  /** The SRI answers nothing about a known key, or answers about another key. */
  | 'nothing'
  | 'otherKey'
  /** The answer is late, but arrives. */
  | 'slow';

/** Picks the fault of the next call about a key; null for none. */
export type Weather = (call: 'reception' | 'authorization', accessKey: string) => Roughness | null;

/** A transport to the SRI whose calls fail, and the record of its calls. */
export interface RoughSri {
  readonly transport: Transport;
  /** The submissions under a key, in order, as SHA-256 of their bytes. */
  submissions(accessKey: string): readonly string[];
  /** The number of submissions after a complete answer had reported that the SRI has those bytes. */
  readonly needless: number;
  /** The number of faults of each kind. */
  readonly happened: ReadonlyMap<Roughness, number>;
  /** Waits for all calls that the client has abandoned. */
  settled(): Promise<void>;
}

/** The faults of a submission, and those of an authorization request. */
export const RECEPTION_ROUGHNESS: readonly Roughness[] = [
  ...(['refused', 'lost', 'closed', 'silent', 'stuck', 'truncated', 'page', 'httpError', 'fault'] as const),
  ...(['doubled', 'registered', 'inProcess', 'slow'] as const),
];
export const AUTHORIZATION_ROUGHNESS: readonly Roughness[] = [
  ...(['refused', 'lost', 'closed', 'silent', 'truncated', 'page', 'httpError', 'fault'] as const),
  ...(['nothing', 'otherKey', 'slow'] as const),
];

/** Adds faults to the calls. @param sri the SRI at the other end. */
export function createRoughSri(sri: Transport, clock: Clock, random: SeededRandom, weather: Weather): RoughSri {
  const submissions = new Map<string, string[]>();
  const known = new Set<string>();
  const happened = new Map<Roughness, number>();
  const stuck = new Set<Promise<void>>();
  let needless = 0;

  async function transport(request: Request): Promise<Response> {
    const body = await request.text();
    const signal = request.signal;
    const call = readCall(body);
    const roughness = weather(call.operation, call.accessKey);
    if (roughness) happened.set(roughness, (happened.get(roughness) ?? 0) + 1);
    if (call.sha256) {
      submissions.set(call.accessKey, [...(submissions.get(call.accessKey) ?? []), call.sha256]);
      if (known.has(`${call.accessKey} ${call.sha256}`)) needless += 1;
    }
    const reach = () => sri(new Request(request.url, { method: 'POST', headers: request.headers, body }));
    if (roughness === 'refused') throw broken('ECONNREFUSED');
    if (roughness === 'stuck') {
      const late = clock.sleep(60_000 + random.below(1_200_000)).then(async () => void (await reach()));
      stuck.add(late);
      late.finally(() => stuck.delete(late));
      return untilGivenUp(signal);
    }
    const answer = await (await reach()).text();
    const rough = await roughen(answer, { roughness, call, signal, reach });
    if (call.sha256 && /RECIBIDA|<identificador>(43|70)</.test(rough.text) && rough.isWhole)
      known.add(`${call.accessKey} ${call.sha256}`);
    return new Response(rough.text, { status: rough.status, headers: { 'content-type': 'text/xml;charset=UTF-8' } });
  }

  async function roughen(
    answer: string,
    at: { roughness: Roughness | null; call: ReadCall; signal: AbortSignal; reach: () => Promise<Response> },
  ): Promise<RoughAnswer> {
    const holds = /RECIBIDA|<identificador>(43|70)</.test(answer);
    switch (at.roughness) {
      case 'lost':
        throw broken('ECONNRESET');
      case 'closed':
        throw broken('UND_ERR_SOCKET');
      case 'silent':
        return untilGivenUp(at.signal);
      case 'truncated':
        return { text: answer.slice(0, random.below(answer.length)), status: 200, isWhole: false };
      case 'page':
        return { text: '<html><body><h1>Mantenimiento</h1></body></html>', status: 200, isWhole: false };
      case 'httpError':
        return { text: answer, status: random.pick([403, 500, 502, 503]), isWhole: false };
      case 'fault':
        return { text: FAULT, status: 500, isWhole: false };
      case 'doubled':
        return whole(await (await at.reach()).text());
      case 'registered':
        return whole(holds ? returned(at.call.accessKey, '43') : answer);
      case 'inProcess':
        return whole(holds ? returned(at.call.accessKey, '70') : answer);
      case 'nothing':
        return whole(nothingOf(at.call.accessKey));
      case 'otherKey':
        return whole(answer.replaceAll(at.call.accessKey, anotherKey(at.call.accessKey)));
      case 'slow':
        await clock.sleep(random.below(20_000), at.signal);
        return whole(answer);
      default:
        return whole(answer);
    }
  }

  return {
    transport,
    submissions: (accessKey) => submissions.get(accessKey) ?? [],
    get needless() {
      return needless;
    },
    happened,
    async settled() {
      while (stuck.size > 0) await Promise.all(stuck);
    },
  };
}

/** A call to the SRI. */
export interface ReadCall {
  readonly operation: 'reception' | 'authorization';
  readonly accessKey: string;
  /** The digest of the comprobante; null for an authorization request. */
  readonly sha256: string | null;
}

/** Reads the envelope of a call. */
export function readCall(envelope: string): ReadCall {
  const asked = /<claveAccesoComprobante>(\d+)</.exec(envelope)?.[1];
  if (asked) return { operation: 'authorization', accessKey: asked, sha256: null };
  const bytes = Buffer.from(/<xml>([^<]*)</.exec(envelope)?.[1] ?? '', 'base64');
  const accessKey = /<claveAcceso>(\d+)</.exec(bytes.toString('utf8'))?.[1] ?? '';
  return { operation: 'reception', accessKey, sha256: createHash('sha256').update(bytes).digest('hex') };
}

// --- internal ---

interface RoughAnswer {
  readonly text: string;
  readonly status: number;
  readonly isWhole: boolean;
}

function whole(text: string): RoughAnswer {
  return { text, status: 200, isWhole: true };
}

function broken(code: string): Error {
  return Object.assign(new Error(`made up, ${code}`), { code });
}

function untilGivenUp(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

const ENVELOPE = 'http://schemas.xmlsoap.org/soap/envelope/';

const FAULT = `<soap:Envelope xmlns:soap="${ENVELOPE}"><soap:Body><soap:Fault><faultcode>soap:Server</faultcode><faultstring>made up</faultstring></soap:Fault></soap:Body></soap:Envelope>`;

function returned(accessKey: string, code: string): string {
  const message = `<mensaje><identificador>${code}</identificador><mensaje>CLAVE</mensaje><tipo>ERROR</tipo></mensaje>`;
  const comprobante = `<comprobante><claveAcceso>${accessKey}</claveAcceso><mensajes>${message}</mensajes></comprobante>`;
  return `<soap:Envelope xmlns:soap="${ENVELOPE}"><soap:Body><ns2:validarComprobanteResponse xmlns:ns2="http://ec.gob.sri.ws.recepcion"><RespuestaRecepcionComprobante><estado>DEVUELTA</estado><comprobantes>${comprobante}</comprobantes></RespuestaRecepcionComprobante></ns2:validarComprobanteResponse></soap:Body></soap:Envelope>`;
}

function nothingOf(accessKey: string): string {
  return `<soap:Envelope xmlns:soap="${ENVELOPE}"><soap:Body><ns2:autorizacionComprobanteResponse xmlns:ns2="http://ec.gob.sri.ws.autorizacion"><RespuestaAutorizacionComprobante><claveAccesoConsultada>${accessKey}</claveAccesoConsultada><numeroComprobantes>0</numeroComprobantes><autorizaciones/></RespuestaAutorizacionComprobante></ns2:autorizacionComprobanteResponse></soap:Body></soap:Envelope>`;
}

function anotherKey(accessKey: string): string {
  return `${accessKey.slice(0, 30)}${String((Number(accessKey.slice(30, 39)) + 1) % 1e9).padStart(9, '0')}${accessKey.slice(39)}`;
}
