import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { prepareDocument } from './documents/prepare.js';
import { renderRide } from './ride/pdf.js';
import { openP12 } from './signing/p12.js';
import { signXml } from './signing/sign-xml.js';
import { createSimulator } from './sri/simulator/simulator.js';
import { undiciTransport } from './sri/undici-transport.js';
import { CONTEXT } from './testing/judged-bodies.js';
import { signer, signingTime, unsigned } from './testing/signed-sample.js';

const xml = readFileSync(new URL('../fixtures/ride/nota-credito.xml', import.meta.url), 'utf8');

it.each<[string, (other: object) => unknown]>([
  ['renderRide', (other) => renderRide({ xml, ...other })],
  ['a signature', (other) => signXml(unsigned, signer, { signingTime, ...other })],
  ['openP12', (other) => openP12(new Uint8Array(1), '', other)],
  ['prepareDocument', (other) => prepareDocument({}, { ...CONTEXT, ...other })],
  ['undiciTransport', undiciTransport],
  ['createSimulator', createSimulator],
])('a misspelt option of %s is named, since its default would hold', async (name, call) => {
  await expect(async () => call({ mispelt: undefined })).rejects.toThrow(
    new RegExp(`^An option of ${name} has .* There is no "mispelt"\\.$`),
  );
});

it.each<[string, string, (value: never) => unknown]>([
  ['voided', 'true or false', (voided) => renderRide({ xml, voided })],
  ['strict', 'true or false', (strict) => prepareDocument({}, { ...CONTEXT, strict })],
  ['requireAmounts', 'true or false', (requireAmounts) => prepareDocument({}, { ...CONTEXT, requireAmounts })],
  ['language', 'one of these: es, en', (language) => prepareDocument({}, { ...CONTEXT, language })],
  ['now', 'a Date', (now) => openP12(new Uint8Array(1), '', { now })],
])('%s has to be %s', async (name, form, call) => {
  await expect(async () => call('false' as never)).rejects.toThrow(`${name} has to be ${form}.`);
});
