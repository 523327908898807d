import { describe, expect, it } from 'vitest';
import { silentLogger } from '../logger.js';
import type { EngineEvents } from './engine-events.js';
import { createSubscribers } from './subscribers.js';

describe('listeners of an engine', () => {
  it('a listener that fails affects no other listener, at once or later', async () => {
    const logged: unknown[] = [];
    const note = (fields: unknown) => void logged.push(fields);
    const { on, emit } = createSubscribers({ info: note, warn: note, error: note });
    const detail = {} as EngineEvents['authorized'];
    let reported = 0;
    on('authorized', () => {
      throw new Error('at once');
    });
    on('authorized', async () => {
      throw new Error('later');
    });
    const stop = on('authorized', () => {
      reported += 1;
    });
    emit('authorized', detail);
    stop();
    emit('authorized', detail);
    emit('created', detail);
    await Promise.resolve();
    expect(reported).toBe(1);
    expect(logged).toEqual([
      ...Array(2).fill({ event: 'authorized', error: 'at once' }),
      ...Array(2).fill({ event: 'authorized', error: 'later' }),
    ]);
  });

  it('`on` accepts listeners for known events only', () => {
    const { on } = createSubscribers(silentLogger);
    expect(() => on('authorised' as 'authorized', () => {})).toThrow(TypeError);
    expect(() => on('authorized', undefined as never)).toThrow(new TypeError('A listener has to be a function.'));
  });
});
