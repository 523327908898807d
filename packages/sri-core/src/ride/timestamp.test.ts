import { describe, expect, it } from 'vitest';
import { momentOf } from '../calendar.js';
import { printedTimestamp } from './timestamp.js';

describe('printedTimestamp', () => {
  it.each([
    { text: '2026-09-16T07:50:56-05:00', printed: '16/09/2026 07:50:56' },
    { text: '2023-11-05T19:38:58.000-05:00', printed: '05/11/2023 19:38:58' },
    { text: '2026-09-17T01:50:56Z', printed: '16/09/2026 20:50:56' },
    { text: '2026-09-16T14:50:56+02:00', printed: '16/09/2026 07:50:56' },
    { text: '16/09/2026 07:50:56', printed: '16/09/2026 07:50:56' },
    { text: '2026-09-16 07:50:56', printed: '16/09/2026 07:50:56' },
    { text: '2026-99-16T07:50:56-05:00', printed: '2026-99-16T07:50:56-05:00' },
    { text: '31/11/2026 07:50:56', printed: '31/11/2026 07:50:56' },
    { text: 'ayer', printed: 'ayer' },
    { text: '', printed: '' },
  ])('prints the timestamp $text for a reader in Ecuador', ({ text, printed }) => {
    expect(printedTimestamp(text)).toBe(printed);
  });

  it('reads a time without an offset as Ecuador’s', () => {
    expect(momentOf('2026-09-16 07:50:56')?.toISOString()).toBe('2026-09-16T12:50:56.000Z');
  });
});
