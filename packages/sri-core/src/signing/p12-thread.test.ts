import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CertificateInvalidError } from '../errors.js';
import { der, derContext, derInteger, derNull, derOctets, derOid, derSequence } from '../testing/der-writer.js';
import { writeTestContainer } from '../testing/test-container.js';
import { createTestIdentity, createTestP12 } from '../testing/test-p12.js';
import { openP12 } from './p12.js';
import { P12_THREADS } from './p12-thread.js';

const PASSWORD = 'contraseña';
let container: Uint8Array;
beforeAll(async () => {
  container = writeTestContainer([await createTestIdentity({ ruc: '1790012345001' })], { password: PASSWORD });
});

const DATA = '1.2.840.113549.1.7.1';
const data = (content: Uint8Array) => derSequence(derOid(DATA), derContext(0, derOctets(content)));

/** A container whose MAC asks for that many steps; its content is irrelevant. */
function costly(iterations: number): Buffer {
  const algorithm = derSequence(derOid('2.16.840.1.101.3.4.2.3'), derNull());
  const mac = createHmac('sha512', '').digest();
  const macData = derSequence(
    derSequence(algorithm, derOctets(mac)),
    derOctets(Buffer.alloc(8)),
    derInteger(iterations),
  );
  return derSequence(derInteger(3), data(derSequence()), macData);
}

/** Runs a script in a separate process, where `openP12` comes from a source file and `bytes` is a container. */
async function runScript(source: URL, script: string, flags: readonly string[] = []): Promise<string> {
  const begin = `
    import { registerHooks } from 'node:module';
    registerHooks({ resolve: (name, context, next) => next(
      context.parentURL?.endsWith('.ts') && name.startsWith('.') ? name.replace(/js$/, 'ts') : name, context) });
    const { openP12 } = await import(${JSON.stringify(source.href)});
    const bytes = Buffer.from(process.argv[1], 'base64');`;
  const bytes = Buffer.from(await createTestP12({ ruc: '1790012345001' })).toString('base64');
  const words = [...flags, '--input-type=module', '-e', `${begin}\n${script}`, bytes];
  return execFileSync(process.execPath, words, { timeout: 60_000, stdio: 'pipe' }).toString().trim();
}

/** The results of four containers in a row, more than there are threads. */
async function openFourTimes(source: URL, flags: readonly string[]): Promise<readonly string[]> {
  const script = `for (let place = 0; place < 4; place += 1) {
    const error = await openP12(bytes, 'prueba').catch((reason) => reason);
    console.log(error.name, error.message, error.cause?.code);
  }`;
  return (await runScript(source, script, flags)).split('\n');
}

function notStarted(cause: string): readonly string[] {
  const advice = 'A bundler has to leave sri-core out of its bundle; Yarn needs nodeLinker: node-modules.';
  return Array.from(
    { length: 4 },
    () => `Error The thread that opens certificates could not be started. ${advice} ${cause}`,
  );
}

/** The threads started during the work. */
async function threadsOf(work: () => Promise<unknown>): Promise<readonly Worker[]> {
  const started: Worker[] = [];
  const note = (thread: Worker) => started.push(thread);
  await setImmediate(); // the event of a start comes one turn later: earlier starts do not count
  process.on('worker', note);
  try {
    await work();
    await setImmediate();
    return started;
  } finally {
    process.off('worker', note);
  }
}

describe('the thread that opens containers', () => {
  it('the thread leaves the event loop free', async () => {
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 5);
    const begin = performance.now();
    await openP12(costly(400_000), 'x').catch(() => null);
    clearInterval(timer);
    // 400 000 steps take some 400 ms; a blocked loop ticks once.
    expect(performance.now() - begin).toBeGreaterThan(100);
    expect(ticks).toBeGreaterThan(10);
  });

  it('openP12 rejects too much work before it starts', async () => {
    await expect(openP12(costly(1_000_000_000), 'x')).rejects.toMatchObject({ code: 'CERTIFICATE_INVALID' });
  });

  it('openP12 starts one thread or two, and leaves a core free', async () => {
    expect(P12_THREADS).toBe(availableParallelism() > 2 ? 2 : 1);
    const started = await threadsOf(() => Promise.all(Array.from({ length: 6 }, () => openP12(container, PASSWORD))));
    expect(started.length).toBeLessThanOrEqual(P12_THREADS);
    expect(await threadsOf(() => openP12(container, PASSWORD))).toEqual([]);
  });

  it('the thread takes containers in order of arrival, whatever their results', async () => {
    const ended: number[] = [];
    const open = (index: number) => openP12(container, index % 3 === 0 ? 'otra' : PASSWORD);
    await Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map((index) => open(index).finally(() => ended.push(index))));
    expect(ended).toHaveLength(7);
    for (const [place, index] of ended.entries()) expect(Math.abs(place - index)).toBeLessThan(P12_THREADS);
  });

  it('a terminated thread hands its slot to the waiting container', async () => {
    const slow = Array.from({ length: P12_THREADS + 1 }, () => openP12(costly(4_000_000), 'x', { timeoutMs: 20 }));
    const next = openP12(container, PASSWORD, { timeoutMs: 20_000 });
    const late = { status: 'rejected', reason: new CertificateInvalidError('The container took too long to open.') };
    expect(await Promise.allSettled(slow)).toEqual(slow.map(() => late));
    expect((await next).certificate.ruc).toBe('1790012345001');
  });

  it('a thread that takes too long is terminated, and the next container has a new thread', async () => {
    const error: unknown = await openP12(costly(4_000_000), 'x', { timeoutMs: 60 }).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'CERTIFICATE_INVALID', message: 'The container took too long to open.' });
    expect((await openP12(container, PASSWORD)).certificate.ruc).toBe('1790012345001');
  });

  it('the thread has a limit of memory, and the process goes on', async () => {
    // A quarter of a megabyte never needs that much memory, so this test allows a larger container.
    const bytes = derSequence(derInteger(3), data(der(0x30, Buffer.alloc(12_000_000, Buffer.of(0x30, 0x00)))));
    await expect(openP12(bytes, null, { maxBytes: 16_000_000, timeoutMs: 20_000 })).rejects.toMatchObject({
      code: 'CERTIFICATE_INVALID',
      message: 'The container asks for more memory than is allowed to open it.',
    });
    expect((await openP12(container, PASSWORD)).certificate.ruc).toBe('1790012345001');
  });

  it('openP12 reports a thread that the process may not start, and frees its slot', async () => {
    const flags = ['--permission', '--allow-fs-read=*'];
    expect(await openFourTimes(new URL('./p12.ts', import.meta.url), flags)).toEqual(notStarted('ERR_ACCESS_DENIED'));
  });

  it('openP12 reports a missing file of the thread, and frees its slot', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sri-core-thread-'));
    try {
      const sources = fileURLToPath(new URL('..', import.meta.url));
      cpSync(sources, folder, { recursive: true, filter: (path) => !/p12-worker\.ts$|\.test\.ts$|fonts/.test(path) });
      const opening = pathToFileURL(join(folder, 'signing/p12.ts'));
      expect(await openFourTimes(opening, [])).toEqual(notStarted('ERR_MODULE_NOT_FOUND'));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('the thread does not keep the process alive', async () => {
    const script = `
      await openP12(bytes, 'prueba');
      const { certificate } = await openP12(bytes, 'prueba');
      const loaded = process.getBuiltinModule('node:module').createRequire(${JSON.stringify(import.meta.url)}).cache;
      console.log(certificate.ruc, Object.keys(loaded).some((file) => file.includes('node-forge')));`;
    const begin = performance.now();
    const output = await runScript(new URL('./p12.ts', import.meta.url), script);
    expect(output).toBe('1790012345001 false');
    expect(performance.now() - begin).toBeLessThan(8000); // the idle thread would hold it for ten seconds
  });
});

describe('the time of a thread', () => {
  // Separate modules without a thread yet: the fake timers must be the thread's.
  let workedMs: number;
  beforeEach(() => {
    vi.resetModules();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    workedMs = 30_000;
    vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: workedMs * 500, system: workedMs * 500 }));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('the time of a container is three seconds, from the start of its thread, which has thirty seconds', async () => {
    const opening = await import('./p12.js');
    const open = () => opening.openP12(container, PASSWORD);
    for (const limit of [30_000, 3000]) {
      const opened = open();
      vi.advanceTimersByTime(limit - 1);
      expect((await opened).certificate.ruc).toBe('1790012345001');
    }
    const second = open();
    vi.advanceTimersByTime(3000);
    await expect(second).rejects.toThrow('took too long');
    const third = open();
    vi.advanceTimersByTime(30_000);
    await expect(third).rejects.toThrow('took too long');
    await setImmediate(); // the event of the third thread comes one turn later
    const started = once(process, 'worker');
    const fourth = opening.openP12(costly(4_000_000), 'x');
    await once((await started)[0], 'message'); // the thread is ready
    vi.advanceTimersByTime(3000);
    await expect(fourth).rejects.toThrow('took too long');
  });

  it('the time of a container is the thread’s own work, when other processes keep the machine busy', async () => {
    const opening = await import('./p12.js');
    const open = () => opening.openP12(container, PASSWORD, { timeoutMs: 1000 });
    await open();
    workedMs = 400;
    const delayed = open();
    vi.advanceTimersByTime(1599);
    expect((await delayed).certificate.ruc).toBe('1790012345001');
    const slow = open();
    vi.advanceTimersByTime(1000);
    workedMs = 1000;
    vi.advanceTimersByTime(600);
    await expect(slow).rejects.toThrow('took too long');
    await open();
    workedMs = 0;
    const starved = open();
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 30_000);
    vi.advanceTimersByTime(1000);
    await expect(starved).rejects.toThrow('took too long');
  });

  it('the thread lives for ten seconds after its last container, and then ends', async () => {
    const opening = await import('./p12.js');
    const open = () => opening.openP12(container, PASSWORD);
    const [first] = await threadsOf(open);
    for (let time = 0; time < 2; time += 1) {
      vi.advanceTimersByTime(9_999);
      expect(await threadsOf(open)).toEqual([]);
    }
    const ended = once(first as Worker, 'exit');
    vi.advanceTimersByTime(10_000);
    const [second] = await threadsOf(open);
    await ended;
    await second?.terminate();
    expect(await threadsOf(open)).toHaveLength(1);
  });
});
