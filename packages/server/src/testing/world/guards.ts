import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A guard of the code, and how the code looks without it. */
export interface Guard {
  /** The rule that the guard keeps, in a few words. */
  readonly name: string;
  /** From the folder of the packages. */
  readonly file: string;
  readonly text: string;
  readonly without: string;
  /** A world that finds it missing. */
  readonly seed: number;
}

export const GUARDS: readonly Guard[] = [
  {
    name: 'the SRI is asked before a document is sent again',
    file: 'sri-core/src/lifecycle/send.ts',
    text: '  if (job.unconfirmed) {',
    without: "  if (job.unconfirmed && document.id === '') {",
    seed: 1,
  },
  {
    name: 'a claimed submission is in doubt (in memory)',
    file: 'sri-core/src/testing/memory-jobs.ts',
    text: "unconfirmed: job.unconfirmed || job.operation === 'SEND'",
    without: 'unconfirmed: job.unconfirmed',
    seed: 1,
  },
  {
    name: 'a lost answer leaves a submission in doubt',
    file: 'sri-core/src/lifecycle/send.ts',
    text: 'const { message, httpStatus: status, mayHaveArrived: unconfirmed } = error;',
    without: 'const { message, httpStatus: status } = error;\n  const unconfirmed = false;',
    seed: 1,
  },
  {
    name: 'a lost question leaves the doubt',
    file: 'sri-core/src/lifecycle/send.ts',
    text: 'const { unconfirmed } = claimed.job;',
    without: 'const unconfirmed = false;',
    seed: 10,
  },
  {
    name: 'another content is no authorization of ours',
    file: 'sri-core/src/lifecycle/authorize.ts',
    text: "  if (comparison === 'another') {",
    without: "  if (comparison === 'another' && now.getTime() === 0) {",
    seed: 1,
  },
  {
    name: 'only a signed document is queued',
    file: 'sri-core/src/lifecycle/send.ts',
    text: "if (!status) throw new InvalidTransitionError('be sent', current.status);",
    without: '',
    seed: 1,
  },
  {
    name: 'only a rejected document is rebuilt',
    file: 'sri-core/src/lifecycle/rebuild.ts',
    text: "if (!status) throw new InvalidTransitionError('be rebuilt', current.status);",
    without: "if (!status) return 'SIGNED';",
    seed: 1,
  },
  {
    name: 'only an authorized document is annulled',
    file: 'sri-core/src/lifecycle/void.ts',
    text: "const status = nextStatus(current.status, 'void');",
    without: "const status = nextStatus('AUTHORIZED', 'void');",
    seed: 1,
  },
  {
    name: 'a retry keeps the doubt',
    file: 'sri-core/src/lifecycle/retry.ts',
    text: 'unconfirmed: job.unconfirmed }',
    without: 'unconfirmed: false }',
    seed: 31,
  },
  {
    name: 'a cancelled call is in doubt',
    file: 'sri-core/src/lifecycle/worker.ts',
    text: "const unconfirmed = job.unconfirmed || job.operation === 'SEND';",
    without: 'const { unconfirmed } = job;',
    seed: 60,
  },
  {
    name: 'a broken attempt is in doubt',
    file: 'sri-core/src/lifecycle/worker.ts',
    text: "unconfirmed: job.operation === 'SEND' }",
    without: 'unconfirmed: false }',
    seed: 11,
  },
  {
    name: 'a failed signature leaves no gap',
    file: 'sri-core/src/lifecycle/numbering-queue.ts',
    text: 'if (!signed.isWhole || !(await before)) return',
    without: 'if (!(await before)) return',
    seed: 48,
  },
  {
    name: 'a batch has the numbers of its counter (in memory)',
    file: 'sri-core/src/testing/memory-storage.ts',
    text: "if (stands !== batch.firstSequential) return { kind: 'counterMoved', nextSequential: stands };",
    without: '',
    seed: 1,
  },
  {
    name: 'a lost lease changes nothing (in memory)',
    file: 'sri-core/src/testing/memory-storage.ts',
    text: "if (lease && !jobs.holds(lease)) return 'leaseLost';",
    without: '',
    seed: 1,
  },
  {
    name: 'a change is of the present revision (in memory)',
    file: 'sri-core/src/testing/memory-storage.ts',
    text: ' || entry.document.revision !== document.revision',
    without: '',
    seed: 72,
  },
  {
    name: 'a changed document takes the next number (in memory)',
    file: 'sri-core/src/testing/memory-storage.ts',
    text: "if (takes && (counters.get(counter) ?? FIRST_SEQUENTIAL) !== takes.sequential) return 'counterMoved';",
    without: '',
    seed: 24,
  },
  {
    name: 'leases have rising tokens (in memory)',
    file: 'sri-core/src/testing/memory-jobs.ts',
    text: 'this.#lastToken += 1;',
    without: '',
    seed: 1,
  },
  {
    name: 'only the holder renews a lease (in memory)',
    file: 'sri-core/src/testing/memory-jobs.ts',
    text: 'if (!entry || !this.holds(lease)) return false;',
    without: 'if (!entry) return false;',
    seed: 1,
  },
  {
    name: 'a batch has the numbers of its counter',
    file: 'storage-adapters/src/sequentials.ts',
    text: 'return wanted.map(({ counter }) => moved.has(counterName(counter)));',
    without: 'return wanted.map(({ counter, first }) => first > 1 || moved.has(counterName(counter)));',
    seed: 1728,
  },
  {
    name: 'a lost lease changes nothing',
    file: 'storage-adapters/src/documents/change-document.ts',
    text: 'if (lease && !(row?.lease_token === lease.token && row.lease_until !== null && row.id === lease.documentId)) {',
    without: 'if (lease && !row) {',
    seed: 32,
  },
  {
    name: 'a claimed submission is in doubt',
    file: 'storage-adapters/src/documents/document-jobs.ts',
    text: "case when operation = 'SEND' then 1 else unconfirmed end",
    without: 'unconfirmed',
    seed: 96,
  },
  {
    name: 'a submission that leaves at once is in doubt',
    file: 'storage-adapters/src/jobs/job-rows.ts',
    text: "row.operation === 'SEND' ? 1 : row.unconfirmed",
    without: 'row.unconfirmed',
    seed: 32,
  },
  {
    name: 'only the holder keeps a lease',
    file: 'storage-adapters/src/jobs/job-queue.ts',
    text: 'return numAffectedRows === 1n;',
    without: 'return true;',
    seed: 64,
  },
  {
    name: 'leases of a new job have higher tokens',
    file: 'storage-adapters/src/jobs/job-rows.ts',
    text: 'lease_token: document.revision * CLAIMS_PER_REVISION',
    without: 'lease_token: 0',
    seed: 32,
  },
  {
    name: 'a quota is exact',
    file: 'server/src/billing/document-quota.ts',
    text: "if (total > quota) throw new Refusal('QUOTA_EXCEEDED', { params: { quota } });",
    without: '',
    seed: 32,
  },
  {
    name: 'each authorization is counted in a notification',
    file: 'server/src/documents/notify-of-authorization.ts',
    text: 'count + 1, language',
    without: 'count, language',
    seed: 32,
  },
  {
    name: 'a mail is settled with its document',
    file: 'server/src/documents-on-commit.ts',
    text: '      await parts.alsoWrites.get(change)?.(tables);\n',
    without: '',
    seed: 64,
  },
  {
    name: 'a received document is asked about',
    file: 'sri-core/src/lifecycle/send.ts',
    text: "job: to === 'RECEIVED' ? firstQuestion(context, now) : null,",
    without: 'job: null,',
    seed: 1,
  },
];

/** Makes the modules that are loaded from now on lack a guard. @throws Error when the code no longer has its text. */
export function removeGuard(name: string): void {
  const guard = GUARDS.find((each) => each.name === name);
  if (!guard) throw new Error(`There is no guard "${name}".`);
  const url = new URL(`../../../../${guard.file}`, import.meta.url);
  const source = readFileSync(fileURLToPath(url), 'utf8');
  if (source.split(guard.text).length !== 2) throw new Error(`${guard.file} does not have the text of "${name}" once.`);
  registerHooks({
    load(loaded, context, next) {
      const module = next(loaded, context);
      if (loaded !== url.href) return module;
      return { ...module, source: source.replace(guard.text, () => guard.without) };
    },
  });
}
