import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { INSIDE_HOSTS, INSIDE_NAMES } from '../testing/inside-hosts.js';
import { activeTenant } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases } from '../testing/test-server.js';
import { postJson } from '../testing/test-tenant.js';
import { createWebhookSender } from './webhook-sender.js';

const SECRET = 's'.repeat(32);

describeOnDatabases('webhooks to internal hosts', await databaseKinds(), (open) => {
  it(`[R282] webhooks never reach internal hosts: ${INSIDE_HOSTS.length} forms over HTTP`, async () => {
    let reached = 0;
    const listener = createServer((socket) => {
      reached += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => listener.listen(0, '::', resolve));
    const { port } = listener.address() as AddressInfo;
    const resolve = async (name: string) => INSIDE_NAMES[name] ?? [];
    const server = await open({
      settings: { INTERNAL_SERVICE_SECRET: SECRET },
      webhookSender: createWebhookSender({ timeoutMs: 2_000, allowInsecure: false, resolve }),
    });
    const tenant = await activeTenant(server);
    const headers = { ...tenant.auth, 'x-internal-service-secret': SECRET };
    const post = (path: string, body: object) => postJson(server, `/v1/webhooks${path}`, headers, body);

    const accepted = new Map<string, string>();
    for (const host of INSIDE_HOSTS) {
      const response = await post('', { url: `https://${host}:${port}/hook` });
      const body = (await response.json()) as { endpoint?: { id: string }; errors?: readonly { field: string }[] };
      expect([201, 400], host).toContain(response.status);
      if (body.endpoint) accepted.set(host, body.endpoint.id);
      else expect(body.errors, host).toMatchObject([{ field: 'url' }]);
    }
    // Only names are checked later; an address in any form is refused at once.
    expect([...accepted.keys()].filter((host) => !/^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+$/.test(host))).toEqual([]);
    expect([...accepted.keys()]).toEqual(expect.arrayContaining(Object.keys(INSIDE_NAMES)));

    for (const id of accepted.values()) {
      expect((await post(`/${id}/test`, {})).status).toBe(202);
      // An account tests ten times a minute.
      await server.clock.advance(6_000);
    }
    await server.tick();
    for (const [host, id] of accepted) {
      const response = await server.request(`/v1/webhooks/${id}/deliveries`, { headers });
      const { data } = (await response.json()) as { data: readonly { lastError: string }[] };
      expect(data[0]?.lastError, host).toBe(host in INSIDE_NAMES ? 'BLOCKED_ADDRESS' : 'DNS');
    }
    expect(reached).toBe(0);
    listener.close();
  });
});
