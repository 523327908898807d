import { expect, it } from 'vitest';
import { isScope, SCOPES } from './scopes.js';

it('the scopes are the nine of the interface, and no other text is a scope', () => {
  expect(SCOPES.map((scope) => isScope(scope))).toEqual(Array(9).fill(true));
  for (const text of ['', 'documents', 'documents:write ', 'DOCUMENTS:WRITE', 'admin'])
    expect(isScope(text)).toBe(false);
});
