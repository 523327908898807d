import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { runCoreCli } from './testing/run-core-cli.js';

describe('simulate', () => {
  it('`simulate` prints its address and its magic buyers, and runs until it is stopped', async () => {
    const { code, out, errors } = await runCoreCli(['simulate', '--port', '0', '--lang', 'es']);
    expect([code, errors]).toEqual([0, '']);
    expect(out).toMatch(/http:\/\/127\.0\.0\.1:\d+\/comprobantes-electronicos-ws\/RecepcionComprobantesOffline\?wsdl/);
    expect(out).toContain('SRI-REFUSED-39');
    const { out: json } = await runCoreCli(['simulate', '--port', '0', '--json']);
    expect(JSON.parse(json)).toMatchObject({ ok: true });
  });

  it('`simulate` reports a port that is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, errors } = await runCoreCli(['simulate', '--port', String(port)]);
    other.close();
    expect([code, errors]).toEqual([1, expect.stringContaining('PORT_NOT_USABLE')]);
  });
});
