import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { ServerDatabase } from '../platform/database/tables.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases } from '../testing/test-server.js';
import { registerTenant } from '../testing/test-tenant.js';
import { replaceLogo } from './change-rows.js';
import { createStoredIssuers } from './issuer-source.js';
import { readIssuer } from './rows.js';

describeOnDatabases('the issuers of an engine', await databaseKinds(), (open) => {
  it('an issuer has its current logo, also after another process changed it during a read', async () => {
    const { services, ...server } = await open();
    const { issuerId } = await registerTenant(server);
    const { database, vault, clock } = services;
    const put = (name: string) =>
      database.transaction(async (tables) => {
        const issuer = await readIssuer(tables, issuerId);
        const hash = createHash('sha256').update(name).digest('hex');
        const logo = { image: Buffer.from(name).toString('base64'), hash };
        if (issuer) await replaceLogo(tables, issuer, { logo, now: clock.now() });
      });
    const next = [() => put('second')];
    const read: ServerDatabase['read'] = async (work) => {
      const found = await database.read(work);
      await next.shift()?.();
      return found;
    };
    const issuers = createStoredIssuers({ ...database, read }, vault);
    const logo = async () => Buffer.from((await issuers.find(issuerId))?.logo ?? []).toString();
    await put('first');
    await logo();
    expect(await logo()).toBe('second');
    await put('first');
    expect(await logo()).toBe('first');
  });
});
