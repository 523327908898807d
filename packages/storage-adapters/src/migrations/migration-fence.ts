import { StorageUnavailableError } from 'sri-core';
import { SchemaTooNewError } from '../errors.js';
import type { MigrationPlan } from './migrator.js';

/** A step that has run on a database. */
export interface AppliedStep {
  readonly namespace: string;
  readonly name: string;
}

/** Keeps a version of this software from writing to tables that a newer one has migrated. */
export interface MigrationFence {
  /** Whether this number of steps is already checked. Otherwise their names must be checked. */
  isJudged(steps: number | null): boolean;
  /** @throws StorageUnavailableError when a step is not known. */
  judge(applied: readonly AppliedStep[]): void;
}

/**
 * Steps are only added, so a changed number means new steps. Every write transaction reads the number. A migration is then
 * either finished, or waits for that transaction.
 *
 * @param plans every plan that this version knows; steps of other owners are theirs.
 */
export function createMigrationFence(plans: readonly MigrationPlan[]): MigrationFence {
  const known = new Map(plans.map(({ namespace, migrations }) => [namespace, new Set(migrations.map(nameOf))]));
  let judged: number | null = null;
  return {
    isJudged: (steps) => steps !== null && steps === judged,
    judge(applied) {
      for (const [namespace, names] of known) {
        const unknown = applied.filter((step) => step.namespace === namespace && !names.has(step.name)).map(nameOf);
        if (unknown.length === 0) continue;
        throw new StorageUnavailableError('A newer version has migrated the database: this one must not write to it.', {
          cause: new SchemaTooNewError(namespace, unknown),
        });
      }
      judged = applied.length;
    },
  };
}

// --- internal ---

function nameOf({ name }: { readonly name: string }): string {
  return name;
}
