import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readComprobante } from '../../documents/read-comprobante.js';
import { magicKey } from '../../sri/simulator/magic-keys.js';
import { toNodeListener } from '../../sri/simulator/node-listener.js';
import { createSimulator } from '../../sri/simulator/simulator.js';
import { runCoreCli } from '../testing/run-core-cli.js';

const KEYS = 250;
const KILLS = 5;
const HOOKS = fileURLToPath(new URL('../../../../server/src/testing/typescript-hooks.ts', import.meta.url));
const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

describe(`received of ${KEYS} keys`, () => {
  it('`received` ends with every key once, however often a signal kills it', async () => {
    const simulator = createSimulator();
    const server = createServer(toNodeListener(simulator.handle)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const sri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/comprobantes-electronicos-ws`;
    const folder = await mkdtemp(join(tmpdir(), 'sri-killed-'));
    const out = join(folder, 'out');
    const keys = Array.from({ length: KEYS }, (_, index) =>
      magicKey({ state: 'authorized', issueDate: '05/11/2026', sequential: index + 1 }),
    );
    const list = join(folder, 'list.txt');
    await writeFile(list, keys.join('\n'));
    const words = ['received', list, '--out', out, '--sri', sri, '--rate', '1000', '--resume'];
    try {
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const saved = simulator.journal.length;
        const program = spawn(process.execPath, ['--import', HOOKS, MAIN, ...words], { stdio: 'ignore' });
        const over = once(program, 'exit');
        // Each run is killed at another number of calls, and at another moment within one.
        while (simulator.journal.length < saved + 20 + 13 * kill && program.exitCode === null) {
          await new Promise((resolve) => setTimeout(resolve, kill));
        }
        program.kill('SIGKILL');
        expect((await over)[1], `run ${kill}`).toBe('SIGKILL');
        const names = (await readdir(out)).filter((name) => /^\d{49}\.xml$/.test(name));
        for (const name of names) {
          expect(readComprobante(await readFile(join(out, name), 'utf8')).accessKey).toBe(name.slice(0, 49));
        }
      }
      const asked = simulator.journal.length;
      const last = await runCoreCli([...words, '--json'], { stopAfterMs: 300_000 });
      expect(last).toMatchObject({ code: 0, errors: '' });
      expect(JSON.parse(last.out)).toMatchObject({ documents: KEYS, counts: { AUTHORIZED: KEYS } });
      expect(simulator.journal.length - asked).toBeLessThan(2 * KEYS);
      const files = keys.flatMap((key) => [`${key}.pdf`, `${key}.xml`]);
      expect((await readdir(out)).toSorted()).toEqual([...files, 'recibidos.csv', 'recibidos.jsonl'].toSorted());
      const table = await readFile(join(out, 'recibidos.csv'), 'utf8');
      expect(table.match(/\d{49}/g)).toEqual(keys);
      for (const key of keys) {
        expect(readComprobante(await readFile(join(out, `${key}.xml`), 'utf8')).accessKey).toBe(key);
        expect((await readFile(join(out, `${key}.pdf`), 'latin1')).trimEnd().endsWith('%%EOF')).toBe(true);
      }
    } finally {
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true, force: true });
    }
  }, 300_000);
});
