import { expect, it } from 'vitest';
import { isScope, SCOPES } from './scopes.js';

it('accepts the nine scopes of the interface and no other text', () => {
  expect(SCOPES.map((scope) => isScope(scope))).toEqual(Array(9).fill(true));
  for (const text of ['', 'documents', 'documents:write ', 'DOCUMENTS:WRITE', 'admin'])
    expect(isScope(text)).toBe(false);
});
