import type { CrashMoment, CrashPort, CrashStep } from './crash-step.js';

/** The parts of the work on a document after its create. */
export type DocumentPart = 'send' | 'authorize' | 'notification' | 'webhook' | 'mail';

/** A moment in the life of a document, from its submission to its last notification. */
export interface DocumentStep extends CrashStep {
  readonly part: DocumentPart;
}

/** The steps of a document after its create, part by part, from the first to the last. */
export const DOCUMENT_STEPS: readonly DocumentStep[] = (
  [
    ['send', 'before the commit of its turn and lease', beforeCommitOf(/insert into sri_jobs/)],
    ['send', 'queued and leased', afterCommitOf(/insert into sri_jobs/)],
    ['send', 'about to leave', port('a submission is about to leave')],
    ['send', 'socket open', port('a submission has a connection')],
    ['send', 'request written', port('a submission is written')],
    ['send', 'answer read', port('a submission is answered')],
    ['send', 'before the commit of the answer', beforeCommitOf(/insert into sri_responses/)],
    ['send', 'the answer is stored', afterCommitOf(/insert into sri_responses/)],
    ['authorize', 'before the commit of the lease', beforeCommitOf(/^update "sri_jobs" set lease_token/)],
    ['authorize', 'leased', afterCommitOf(/^update "sri_jobs" set lease_token/)],
    ['authorize', 'about to ask', port('a question is about to leave')],
    ['authorize', 'question written', port('a question is written')],
    ['authorize', 'answer read', port('a question is answered')],
    ['authorize', 'mail queued', after(mailQueued())],
    ['notification', 'the account is locked', after(/^insert into "notification_cursors"/)],
    ['notification', 'made or renewed', after(/^(insert into|update) "notifications"/)],
    ['notification', 'its message is written', after(/^insert into "webhook_messages"/)],
    ['notification', 'its deliveries are written', after(/^insert into "jobs" .*"message_id"/)],
    ['authorize', 'before the commit', beforeCommitOf(mailQueued())],
    ['authorize', 'stored', afterCommitOf(mailQueued())],
    ['webhook', 'before the commit of the lease', beforeCommitOf(claimed('WEBHOOK'))],
    ['webhook', 'leased', afterCommitOf(claimed('WEBHOOK'))],
    ['webhook', 'about to leave', port('a webhook is about to leave')],
    ['webhook', 'acknowledged', port('a webhook is acknowledged')],
    ['webhook', 'before the commit of the attempt', beforeCommitOf(/^update "jobs" set "status" .*'WEBHOOK'/)],
    ['webhook', 'the attempt is stored', afterCommitOf(/^update "jobs" set "status" .*'WEBHOOK'/)],
    ['mail', 'leased', afterCommitOf(claimed('MAIL'))],
    ['mail', 'before the mail server has it', port('a mail is about to leave')],
    ['mail', 'the mail server has it', port('a mail is taken')],
    ['mail', 'before the commit of the sending', beforeCommitOf(/^update "jobs" set "status" .*'MAIL'/)],
    ['mail', 'the sending is stored', afterCommitOf(/^update "jobs" set "status" .*'MAIL'/)],
  ] as const
).map(([part, what, at]) => ({ name: `${part}: ${what}`, part, at }));

// --- internal ---

function mailQueued(): RegExp {
  return /^insert into "jobs" .*"recipient"/;
}

function claimed(kind: 'MAIL' | 'WEBHOOK'): RegExp {
  return new RegExp(`^select \\* from "jobs" .*kind = '${kind}'\\) is true and ready_at \\+ 0`);
}

function after(statement: RegExp): CrashMoment {
  return { moment: 'after', statement };
}

function beforeCommitOf(having: RegExp): CrashMoment {
  return { moment: 'before', statement: /^commit/, having };
}

function afterCommitOf(having: RegExp): CrashMoment {
  return { moment: 'after', statement: /^commit/, having };
}

function port(of: CrashPort): CrashMoment {
  return { moment: 'port', port: of };
}
