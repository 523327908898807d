import { expect, it } from 'vitest';
import type { Exchange } from '../platform/http/exchange.js';
import { requireValidBody } from './review-body.js';

it('takes no body for valid when the check itself fails', () => {
  const services = { config: { documentStrict: false }, clock: { now: () => new Date(Number.NaN) } };
  expect(() => requireValidBody({ services } as unknown as Exchange, {})).toThrow(RangeError);
});
