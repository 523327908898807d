import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.js';
import { systemRandom } from '../random.js';
import { createSimulator } from '../sri/simulator/simulator.js';
import { createSriClient, SRI_URLS } from '../sri/soap-client.js';
import { sriHandlers } from './msw.js';
import { sampleFactura } from './sample-comprobante.js';
import { createTestClock } from './test-clock.js';

const clock = createTestClock('2026-11-05T17:00:00Z');
const simulator = createSimulator({ clock, checkSignature: false });
const server = setupServer(...sriHandlers(http, simulator));

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => {
  server.resetHandlers();
  simulator.reset();
});
afterAll(() => server.close());

/** Pauses are cut to zero; time limits stay. */
const client = createSriClient({
  transport: (request) => fetch(request),
  clock: systemClock,
  random: systemRandom,
  repeatDelaysMs: [1, 1, 1],
  timeoutMs: 100,
});

describe('the client over MSW, with the global fetch as transport', () => {
  it.each(['sandbox', 'production'] as const)(
    'the client sends a document in %s over MSW, and the simulator authorizes it',
    async (environment) => {
      const { xml, accessKey } = sampleFactura({ environment });
      expect(await client.submit(environment, accessKey, xml)).toMatchObject({ status: 'RECIBIDA' });
      expect(await client.authorization(environment, accessKey)).toMatchObject({
        outcome: 'authorized',
        environment,
        comprobante: xml,
      });
      expect(simulator.journal.map((entry) => entry.environment)).toEqual([environment, environment]);
    },
  );

  it.each([
    ['SRI-HTTP-500', { httpStatus: 'HTTP_500', network: false }, 1],
    ['SRI-HTTP-503', { httpStatus: 'HTTP_503', network: false }, 1],
    ['SRI-UNREACHABLE', { httpStatus: 'HTTP_503', network: true }, 4],
    ['SRI-TIMEOUT', { httpStatus: 'HTTP_504', network: true, mayHaveArrived: true }, 4],
  ] as const)('the client gets the failure of the buyer %s over MSW', async (buyerId, expected, calls) => {
    const { xml, accessKey } = sampleFactura({ buyerId });
    await expect(client.submit('sandbox', accessKey, xml)).rejects.toMatchObject(expected);
    expect(simulator.journal).toHaveLength(calls);
  });

  it('a retry recovers a lost answer', async () => {
    const { xml, accessKey } = sampleFactura({ buyerId: 'SRI-LOST-ANSWER' });
    expect(await client.submit('sandbox', accessKey, xml)).toMatchObject({
      outcome: 'received',
      alreadyRegistered: true,
    });
  });

  it.each([
    {
      name: 'a page under 403',
      answer: () => HttpResponse.html('<p>Request Rejected', { status: 403 }),
      httpStatus: 'HTTP_403',
    },
    { name: 'a page under 200', answer: () => HttpResponse.html('<p>Request Rejected'), httpStatus: 'HTTP_502' },
    { name: 'JSON', answer: () => HttpResponse.json({ estado: 'RECIBIDA' }), httpStatus: 'HTTP_502' },
    { name: 'nothing', answer: () => new HttpResponse(null, { status: 200 }), httpStatus: 'HTTP_502' },
    { name: 'a redirect', answer: () => HttpResponse.redirect('https://example.org/', 302), httpStatus: 'HTTP_302' },
    { name: 'a network error', answer: () => HttpResponse.error(), httpStatus: 'HTTP_503' },
    { name: 'an endless page', answer: () => HttpResponse.text('x'.repeat(5 * 1024 * 1024)), httpStatus: 'HTTP_504' },
  ])('the client reports $name as $httpStatus', async ({ answer, httpStatus }) => {
    server.use(http.post(`${SRI_URLS.sandbox}/*`, answer));
    const { xml, accessKey } = sampleFactura();
    await expect(client.submit('sandbox', accessKey, xml)).rejects.toMatchObject({ httpStatus });
  });

  it('a client can fetch the description of a service', async () => {
    const response = await fetch(`${SRI_URLS.production}/AutorizacionComprobantesOffline?wsdl`);
    expect(await response.text()).toContain('autorizacionComprobante');
  });
});
