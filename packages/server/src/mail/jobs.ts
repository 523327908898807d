import type { Task } from '../platform/jobs/loop.js';
import type { MailRounds } from './mail-rounds.js';

/** Starts the due mails of the outbox; the end of an attempt must wake it. */
export function mailTask(rounds: MailRounds): Task {
  return { name: 'mail', intervalMs: 5_000, run: (signal) => rounds.round(signal) };
}
