import { describe, expect, it } from 'vitest';
import type { AccessKey } from '../access-key.js';
import { SriUnavailableError } from '../errors.js';
import type { Random } from '../random.js';
import { createTestClock } from '../testing/test-clock.js';
import { createSriClient, SRI_URLS } from './soap-client.js';
import type { Transport } from './transport.js';

const KEY = '0511202601179125123700110020030000004176041823711' as AccessKey;
const RECEIVED =
  '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><ns2:validarComprobanteResponse xmlns:ns2="http://ec.gob.sri.ws.recepcion"><RespuestaRecepcionComprobante><estado>RECIBIDA</estado><comprobantes/></RespuestaRecepcionComprobante></ns2:validarComprobanteResponse></soap:Body></soap:Envelope>';
/** The largest jitter. */
const random: Random = { bytes: (count) => new Uint8Array(count).fill(255) };

type Step = Error | Response | 'hang';
const ok = () => new Response(RECEIVED);
const networkError = (code: string) => Object.assign(new Error(code), { code });

/** A client on a standing clock, over a transport that plays the steps and repeats the last one. */
function setUp(...steps: readonly (Step | (() => Step))[]) {
  const clock = createTestClock('2026-11-05T19:00:00Z');
  const calls: { at: number; request: Request; body: string }[] = [];
  const start = clock.now().getTime();
  const transport: Transport = async (request) => {
    const entry = steps[Math.min(calls.length, steps.length - 1)] ?? ok;
    calls.push({ at: clock.now().getTime() - start, request, body: await request.clone().text() });
    const step = typeof entry === 'function' ? entry() : entry;
    if (step === 'hang') return new Promise<Response>(() => {});
    if (step instanceof Error) throw step;
    return step;
  };
  return { clock, calls, client: createSriClient({ transport, clock, random }) };
}

/** Settles a call while the clock moves. */
async function outcome<T>(clock: { advance(ms: number): Promise<void> }, call: Promise<T>): Promise<T | Error> {
  const settled = call.catch((error: Error) => error);
  await clock.advance(200_000);
  return settled;
}

describe('a submission', () => {
  it('sends a submission to the host of its environment as SOAP 1.1, with the bytes in base64', async () => {
    const { calls, client } = setUp(ok, ok);
    await client.submit('sandbox', KEY, '<a>ñ</a>');
    await client.submit('production', KEY, '<a>ñ</a>');
    const [first, second] = calls;
    expect(first?.request.url).toBe(`${SRI_URLS.sandbox}/RecepcionComprobantesOffline`);
    expect(second?.request.url).toBe(`${SRI_URLS.production}/RecepcionComprobantesOffline`);
    expect(Object.fromEntries(first?.request.headers ?? [])).toMatchObject({
      'content-type': 'text/xml; charset=utf-8',
      soapaction: '""',
      'accept-encoding': 'identity',
    });
    const base64 = /<xml>(.*)<\/xml>/.exec(first?.body ?? '')?.[1] ?? '';
    expect(Buffer.from(base64, 'base64').toString()).toBe('<a>ñ</a>');
  });

  it('leaves only for an environment of the SRI, over a transport', async () => {
    const { calls, client } = setUp(ok);
    await expect(client.submit('pruebas' as never, KEY, '<a/>')).rejects.toThrow('environment has to be one of these');
    expect(calls).toEqual([]);
    expect(() => createSriClient({} as never)).toThrow('transport has to be a function');
  });

  it('accepts a base URL with or without a trailing slash', async () => {
    const urls: string[] = [];
    const transport: Transport = async (request) => {
      urls.push(request.url);
      return ok();
    };
    const { clock } = setUp();
    for (const base of ['http://127.0.0.1:1/x', 'http://127.0.0.1:1/x/']) {
      const client = createSriClient({ transport, clock, random, urls: { sandbox: base, production: base } });
      await client.submit('sandbox', KEY, '<x/>');
    }
    expect(urls).toEqual(Array(2).fill('http://127.0.0.1:1/x/RecepcionComprobantesOffline'));
  });

  it('retries a network failure after 0.5, 1 and 2 s with jitter, byte for byte, and then fails', async () => {
    const { clock, calls, client } = setUp(networkError('ECONNREFUSED'));
    const error = await outcome(clock, client.submit('sandbox', KEY, '<x/>'));
    expect(error).toBeInstanceOf(SriUnavailableError);
    expect(error).toMatchObject({ httpStatus: 'HTTP_503', mayHaveArrived: false, network: true });
    expect(calls.map(({ at }) => at)).toEqual([0, 749, 749 + 1498, 749 + 1498 + 2996]);
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1);
  });

  it('returns the answer of a successful retry', async () => {
    const { clock, calls, client } = setUp(networkError('ENOTFOUND'), networkError('ECONNRESET'), ok);
    expect(await outcome(clock, client.submit('sandbox', KEY, '<x/>'))).toMatchObject({ outcome: 'received' });
    expect(calls).toHaveLength(3);
  });

  it.each([400, 403, 404, 429, 500, 502, 503])('does not retry HTTP %i', async (status) => {
    const { clock, calls, client } = setUp(() => new Response('x', { status }));
    expect(await outcome(clock, client.submit('sandbox', KEY, '<x/>'))).toMatchObject({ httpStatus: `HTTP_${status}` });
    expect(calls).toHaveLength(1);
  });

  it('does not follow a redirect', async () => {
    const { clock, client, calls } = setUp(() => Response.redirect('https://127.0.0.1/', 307));
    expect(await outcome(clock, client.submit('sandbox', KEY, '<x/>'))).toMatchObject({ httpStatus: 'HTTP_307' });
    expect(calls[0]?.request.redirect).toBe('manual');
  });

  it('remembers that an earlier retry may have arrived when the last retry could not connect', async () => {
    const { clock, client } = setUp(networkError('ECONNRESET'), networkError('ECONNREFUSED'));
    const error = await outcome(clock, client.submit('sandbox', KEY, '<x/>'));
    expect(error).toMatchObject({ httpStatus: 'HTTP_503', mayHaveArrived: true });
  });

  it('remembers that an earlier retry may have arrived when the last retry got an HTTP error', async () => {
    const { clock, client } = setUp(networkError('ECONNRESET'), () => new Response('', { status: 503 }));
    const error = await outcome(clock, client.submit('sandbox', KEY, '<x/>'));
    expect(error).toMatchObject({ httpStatus: 'HTTP_503', mayHaveArrived: true, network: false });
  });
});

describe('the time limit', () => {
  it('the time limit ends a call without an answer after 30 s, and each retry too: HTTP_504', async () => {
    const { clock, calls, client } = setUp('hang');
    const error = await outcome(clock, client.submit('sandbox', KEY, '<x/>'));
    expect(error).toMatchObject({ httpStatus: 'HTTP_504', mayHaveArrived: true, network: true });
    expect(calls.map(({ at }) => at)).toEqual([0, 30_749, 62_247, 95_243]);
    expect(calls.every(({ request }) => request.signal.aborted)).toBe(true);
  });

  it('the time limit covers the body', async () => {
    const slow = () =>
      new Response(
        new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from(RECEIVED.slice(0, 50))) }),
      );
    const { clock, calls, client } = setUp(slow);
    const call = outcome({ advance: async () => {} }, client.submit('sandbox', KEY, '<x/>'));
    await clock.advance(30_000 + 748);
    expect(calls).toHaveLength(1);
    await clock.advance(200_000);
    expect(await call).toMatchObject({ httpStatus: 'HTTP_504' });
  });

  it('the time limit leaves no timer', async () => {
    const { clock } = setUp(ok);
    let sleeping = 0;
    const counted = {
      now: clock.now,
      sleep: (ms: number, signal?: AbortSignal) => {
        sleeping += 1;
        return clock.sleep(ms, signal).finally(() => (sleeping -= 1));
      },
    };
    const transport: Transport = async () => ok();
    await createSriClient({ transport, clock: counted, random }).submit('sandbox', KEY, '<x/>');
    await new Promise((resolve) => setImmediate(resolve));
    expect(sleeping).toBe(0);
  });
});

describe('a long answer', () => {
  it('reads a long answer of several refusals and an authorization of a large comprobante', async () => {
    const comprobante = `<comprobante>${'&lt;a/&gt;'.repeat(40_000)}</comprobante>`;
    const refused = `<autorizacion><estado>NO AUTORIZADO</estado>${comprobante}</autorizacion>`;
    const authorized =
      `<autorizacion><estado>AUTORIZADO</estado><numeroAutorizacion>${KEY}</numeroAutorizacion>` +
      `<fechaAutorizacion>2026-11-05T14:00:00-05:00</fechaAutorizacion>${comprobante}</autorizacion>`;
    const { client } = setUp(
      new Response(
        `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><autorizacionComprobanteResponse>` +
          `<RespuestaAutorizacionComprobante><autorizaciones>${refused.repeat(3)}${authorized}</autorizaciones>` +
          `</RespuestaAutorizacionComprobante></autorizacionComprobanteResponse></e:Body></e:Envelope>`,
      ),
    );
    expect(await client.authorization('sandbox', KEY)).toMatchObject({ outcome: 'authorized' });
  });

  it('rejects a long answer with more elements than any answer of the SRI', async () => {
    const { client } = setUp(new Response(`<Envelope>${'<a/>'.repeat(10_000)}</Envelope>`));
    await expect(client.submit('sandbox', KEY, '<x/>')).rejects.toMatchObject({ message: /more than 10000 nodes/ });
  });

  it('cuts a long answer at 4 MiB without a retry: HTTP_504', async () => {
    let pulled = 0;
    const endless = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            pulled += 65_536;
            controller.enqueue(new Uint8Array(65_536).fill(32));
          },
        }),
      );
    const { clock, calls, client } = setUp(endless);
    const error = await outcome(clock, client.submit('sandbox', KEY, '<x/>'));
    expect(error).toMatchObject({ httpStatus: 'HTTP_504', mayHaveArrived: true, network: false });
    expect(calls).toHaveLength(1);
    expect(pulled).toBeLessThan(4.3 * 1024 * 1024);
  });

  it('keeps the status of a long answer that shows the failure', async () => {
    const page = () => new Response('x'.repeat(5 * 1024 * 1024), { status: 503 });
    const { clock, client } = setUp(page);
    expect(await outcome(clock, client.submit('sandbox', KEY, '<x/>'))).toMatchObject({ httpStatus: 'HTTP_503' });
  });
});

describe('a body that breaks', () => {
  const broken = (status: number) => () =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(Buffer.from(RECEIVED.slice(0, 50)));
          controller.error(networkError('ECONNRESET'));
        },
      }),
      { status },
    );

  it('reports a body that breaks under a success as a network failure', async () => {
    const { clock, calls, client } = setUp(broken(200));
    const error = await outcome(clock, client.submit('sandbox', KEY, '<x/>'));
    expect(error).toMatchObject({ httpStatus: 'HTTP_503', mayHaveArrived: true, network: true });
    expect(calls).toHaveLength(4);
  });

  it('ignores a body that breaks under an error', async () => {
    const { clock, calls, client } = setUp(broken(500));
    expect(await outcome(clock, client.submit('sandbox', KEY, '<x/>'))).toMatchObject({ httpStatus: 'HTTP_500' });
    expect(calls).toHaveLength(1);
  });
});

describe('a caller that aborts', () => {
  const reason = new Error('stopping');

  it('sends nothing when the caller has aborted before the call', async () => {
    const { calls, client } = setUp(ok);
    await expect(client.submit('sandbox', KEY, '<x/>', AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(calls).toHaveLength(0);
  });

  it('ends the call when the caller aborts during the wait for the answer', async () => {
    const { calls, client, clock } = setUp('hang');
    const giveUp = new AbortController();
    const call = client.submit('sandbox', KEY, '<x/>', giveUp.signal);
    await clock.advance(1_000);
    giveUp.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(calls[0]?.request.signal.aborted).toBe(true);
  });

  it('ends the call when the caller aborts between two retries', async () => {
    const { calls, client, clock } = setUp(networkError('ECONNREFUSED'));
    const giveUp = new AbortController();
    const call = client.authorization('sandbox', KEY, giveUp.signal);
    await clock.advance(100);
    giveUp.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(calls).toHaveLength(1);
  });
});
