// Prints which numbered rules of the interface have a test, by section. `[R123]` in a test's name, or in its table of
// cases, counts. `npm run rules -- --missing` lists the rules without a test.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from './read-arguments.mjs';

/** First and last rule of each section of the interface, version 1.3.1. */
const SECTIONS = [
  ['Conventions', 1, 10],
  ['1 What it does', 11, 12],
  ['2.1 Tenant', 13, 24],
  ['2.2 Issuer', 25, 30],
  ['2.3 API key', 31, 35],
  ['2.4 Document', 36, 44],
  ['2.5 Invoice body', 45, 70],
  ['2.6 Credit note body', 71, 78],
  ['2.7 SRI response', 79, 83],
  ['2.8 Sequentials', 84, 86],
  ['2.9 Notification', 87, 90],
  ['2.10 Webhook', 91, 93],
  ['2.11 Tenant event', 94, 94],
  ['3.1 Document status', 95, 110],
  ['3.2 Tenant status', 111, 117],
  ['3.3 Other states', 118, 122],
  ['4.1 Registration', 123, 176],
  ['4.2 Keys', 177, 199],
  ['4.3 Issuers', 200, 221],
  ['4.4 Documents', 222, 262],
  ['4.5 Notifications', 263, 280],
  ['4.6 Webhooks', 281, 292],
  ['4.7 Named routes', 293, 306],
  ['5 Authentication', 307, 326],
  ['6.1 Tenant events', 327, 342],
  ['6.2 Notification types', 343, 360],
  ['6.3 Deliveries', 361, 370],
  ['7 Errors', 371, 378],
  ['8 Limits', 379, 385],
  ['9 Versioning', 386, 389],
];

const { values } = readArguments(import.meta.url, { options: { missing: { type: 'boolean' } } });
const packages = fileURLToPath(new URL('../../', import.meta.url));
const named = new Set();
for (const path of readdirSync(packages, { recursive: true, encoding: 'utf8' })) {
  if (!path.endsWith('.test.ts') || path.includes('node_modules')) continue;
  const text = readFileSync(join(packages, path), 'utf8');
  for (const [list] of text.matchAll(/\[R\d{3}(?:[ ,]+R\d{3})*\]/g)) {
    for (const [, number] of list.matchAll(/R(\d{3})/g)) named.add(Number(number));
  }
}

const missing = [];
let covered = 0;
for (const [section, first, last] of SECTIONS) {
  const rules = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const open = rules.filter((rule) => !named.has(rule));
  covered += rules.length - open.length;
  missing.push(...open);
  console.log(`${section.padEnd(24)} ${String(rules.length - open.length).padStart(3)} of ${rules.length}`);
}
const total = SECTIONS.at(-1)[2];
console.log(`${'all'.padEnd(24)} ${String(covered).padStart(3)} of ${total}`);
if (values.missing) {
  console.log(`no test names: ${missing.map((rule) => `R${String(rule).padStart(3, '0')}`).join(' ')}`);
}
