import { describe, expect, it } from 'vitest';
import { afterAttempt, newJob } from './attempts.js';
import { DEFAULT_SCHEDULE } from './schedule.js';

const now = new Date('2026-11-21T12:00:00Z');
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
const failed = { error: 'timeout', unconfirmed: true };

it('a new job is due at the given time, without attempts', () => {
  expect(newJob('SEND', now)).toEqual({
    operation: 'SEND',
    status: 'PENDING',
    dueAt: now,
    attemptCount: 0,
    lastError: null,
    unconfirmed: false,
  });
});

describe('an attempt that settled nothing', () => {
  it('the next attempt is due after the interval, and remembers that the SRI may have the document', () => {
    expect(afterAttempt(newJob('SEND', now), failed, { now, receivedAt: null }, DEFAULT_SCHEDULE)).toEqual({
      operation: 'SEND',
      status: 'PENDING',
      dueAt: minutes(5),
      attemptCount: 1,
      lastError: 'timeout',
      unconfirmed: true,
    });
  });

  it('a fifth submission is the last attempt', () => {
    const fourth = { ...newJob('SEND', now), attemptCount: 4 };
    expect(afterAttempt(fourth, failed, { now, receivedAt: null }, DEFAULT_SCHEDULE)).toMatchObject({
      status: 'FAILED',
      attemptCount: 5,
      dueAt: null,
    });
  });

  it('a fifth authorization query fails, and repeats every hour for a day', () => {
    const fourth = { ...newJob('AUTHORIZE', now), attemptCount: 4 };
    const pending = { error: null, unconfirmed: false };
    let job = afterAttempt(fourth, pending, { now, receivedAt: minutes(-20) }, DEFAULT_SCHEDULE);
    expect(job).toMatchObject({
      status: 'FAILED',
      attemptCount: 5,
      dueAt: minutes(60),
      lastError: expect.stringContaining('had not decided'),
    });

    job = afterAttempt(job, pending, { now, receivedAt: minutes(-60 * 23) }, DEFAULT_SCHEDULE);
    expect(job).toMatchObject({
      status: 'FAILED',
      attemptCount: 5,
      dueAt: minutes(60),
    });

    job = afterAttempt(job, pending, { now, receivedAt: minutes(-60 * 23 - 1) }, DEFAULT_SCHEDULE);
    expect(job).toMatchObject({
      status: 'FAILED',
      attemptCount: 5,
      dueAt: null,
    });
  });

  it('a failed job waits for a person, even if more attempts are allowed later', () => {
    const given = { ...newJob('SEND', now), status: 'FAILED', attemptCount: 5 } as const;
    const patient = { ...DEFAULT_SCHEDULE, maxAttempts: 9 };
    expect(afterAttempt(given, failed, { now, receivedAt: null }, patient)).toMatchObject({
      status: 'FAILED',
      attemptCount: 6,
      dueAt: null,
    });
  });

  it('an answer that the SRI is still processing keeps the error of an earlier attempt', () => {
    const job = {
      ...newJob('AUTHORIZE', now),
      attemptCount: 1,
      lastError: 'timeout',
    };
    const next = afterAttempt(job, { error: null, unconfirmed: false }, { now, receivedAt: now }, DEFAULT_SCHEDULE);
    expect(next).toMatchObject({
      status: 'PENDING',
      attemptCount: 2,
      lastError: 'timeout',
    });
  });
});
