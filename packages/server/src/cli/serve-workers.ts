import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Language } from 'sri-core';
import { CommandFailure, type Terminal } from 'sri-core/cli';

/** The most workers of one server: as many as a large machine has processors. */
export const MOST_WORKERS = 64;

/**
 * Runs this same command in several processes that share the socket. This process only starts them, starts another one
 * when one dies, and stops them all.
 *
 * The first one starts alone: it migrates the database, and its refusal ends the command.
 * @param report gets the lines that the first worker reports at its start.
 * @throws CommandFailure if the first worker does not start.
 */
export async function serveWithWorkers(
  count: number,
  {
    terminal,
    language,
    report,
  }: { terminal: Terminal; language: Language; report: (lines: readonly string[]) => void },
): Promise<void> {
  const stop = terminal.stopSignal();
  const stopped = once(stop, 'abort');
  const ready = new Set<Worker>();
  const fork = () => {
    const worker = cluster.fork();
    worker.once('message', () => ready.add(worker));
    return worker;
  };
  const keep = async (worker: Worker) => {
    for (let current = worker; ; current = fork()) {
      const [code, signal] = current.isDead() ? [null, null] : await once(current, 'exit');
      ready.delete(current);
      if (stop.aborted) return;
      const reason = signal ?? code;
      terminal.complain(
        language === 'es'
          ? `Un proceso terminó (${reason}); otro empieza en un segundo.\n`
          : `A worker ended (${reason}); another one starts in a second.\n`,
      );
      await sleep(RESTART_MS, undefined, { signal: stop }).catch(() => {});
      if (stop.aborted) return;
    }
  };
  // A second signal ends this process at once, and the workers with it.
  process.once('exit', () => {
    for (const worker of living()) worker.process.kill('SIGKILL');
  });

  const first = fork();
  const lines = await start(first);
  if (lines === null) {
    throw new CommandFailure('NOT_STARTED', {
      es: 'No se inició: el primer proceso terminó; su mensaje está arriba.',
      en: 'Not started: the first worker ended; its message is above.',
    });
  }
  const others = Array.from({ length: count - 1 }, fork);
  const kept = [first, ...others].map(keep);
  await Promise.race([Promise.all(others.map(start)), stopped]);
  if (!stop.aborted) report(lines);
  await stopped;
  terminal.complain(
    language === 'es' ? 'Terminando; otra vez para cortar.\n' : 'Stopping; once more to stop at once.\n',
  );
  for (const worker of living()) {
    // Before it is ready, a worker has no request and no job that could end first.
    // A worker that just died gets no message, which is no fault.
    if (ready.has(worker)) worker.send(STOP, () => {});
    else worker.process.kill('SIGKILL');
  }
  await Promise.all(kept);
}

/**
 * The part of a worker in `serveWithWorkers`; null in any other process. `stop` is aborted when the worker is to stop, and
 * `reportReady` reports the lines that a server prints at its start.
 */
export function workerPart() {
  const { worker } = cluster;
  if (!worker) return null;
  const stopping = new AbortController();
  worker.on('message', (message) => {
    if (message === STOP) stopping.abort();
  });
  worker.once('disconnect', () => {
    // The process that started this one is gone. Without this flag Node would end this one in the middle of its work.
    worker.exitedAfterDisconnect = true;
    stopping.abort();
  });
  return { stop: stopping.signal, reportReady: (lines: readonly string[]) => worker.send(lines) };
}

// --- internal ---

const STOP = 'stop';

/** A worker that fails at once would otherwise be started without a pause. */
const RESTART_MS = 1_000;

/** @returns the lines that a worker reports once it serves; null if it ends before. */
function start(worker: Worker): Promise<readonly string[] | null> {
  return Promise.race([
    once(worker, 'message').then(([lines]) => lines as readonly string[]),
    once(worker, 'exit').then(() => null),
  ]);
}

function living(): readonly Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}
