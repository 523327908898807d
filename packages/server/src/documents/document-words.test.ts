import { expect, it } from 'vitest';
import { toIsoMoment } from './document-words.js';

it.each([
  ['2026-11-24T10:15:32-05:00', '2026-11-24T10:15:32-05:00'],
  ['2026-11-24T10:15:32.000-05:00', '2026-11-24T10:15:32.000-05:00'],
  ['05/11/2026 12:00:10', '2026-11-05T12:00:10-05:00'],
  ['2026-11-05 12:00:10', '2026-11-05T12:00:10-05:00'],
  ['mañana', 'mañana'],
])('the moment %s is answered with its offset', (text, written) => {
  expect(toIsoMoment(text)).toBe(written);
});
