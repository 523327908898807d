import { expect, it } from 'vitest';
import type { Exchange } from '../platform/http/exchange.js';
import { requireValidBody } from './review-body.js';

it('fails when the check itself fails, and accepts no body', () => {
  const services = { config: { documentStrict: false }, clock: { now: () => new Date(Number.NaN) } };
  expect(() => requireValidBody({ services } as unknown as Exchange, {})).toThrow(RangeError);
});
