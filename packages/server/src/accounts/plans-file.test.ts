import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config/config.js';
import { ConfigComplaint } from '../platform/config-values.js';
import { testFolder } from '../testing/test-folder.js';
import { PLAN_LIMITS } from './plans.js';
import { readPlansFile } from './plans-file.js';

const folder = testFolder('plans');

async function written(content: string | Uint8Array): Promise<string> {
  const path = join(folder, 'plans.json');
  await writeFile(path, content);
  return path;
}

async function complaint(content: string | Uint8Array): Promise<string> {
  const read = readPlansFile(await written(content));
  return read instanceof ConfigComplaint ? read.texts.en : 'accepted';
}

describe('the file of plans', () => {
  it('the file replaces the values it names and leaves the rest', async () => {
    const plans = readPlansFile(
      await written('{"STARTER": {"documentQuota": 500, "monthlyPriceUsd": "25.5", "maxBranches": 3}, "FREE": {}}'),
    );
    expect(plans).toEqual({
      ...PLAN_LIMITS,
      STARTER: { ...PLAN_LIMITS.STARTER, documentQuota: 500, monthlyPriceUsd: '25.50', maxBranches: 3 },
    });
  });

  it('the file may lift a limit or withdraw an offer', async () => {
    const plans = readPlansFile(
      await written('{"BUSINESS": {"maxIssuePointsPerBranch": null, "yearlyPriceUsd": null}}'),
    );
    expect(plans).toMatchObject({ BUSINESS: { maxIssuePointsPerBranch: null, yearlyPriceUsd: null } });
  });

  it.each([
    ['an unknown tier', '{"SOLO": {}}', /plans\.json: SOLO: no such tier\. Tiers: FREE, STARTER/],
    ['an unknown value', '{"FREE": {"quota": 1}}', /FREE\.quota: no such value\. Values: documentQuota, /],
    ['a prototype', '{"FREE": {"__proto__": {}}}', /FREE\.__proto__: no such value/],
    ['null for a tier', '{"FREE": null}', /FREE: give an object/],
    ['a tier that is a list', '{"FREE": []}', /FREE: give an object/],
    ['a number in text', '{"FREE": {"documentQuota": "5"}}', /FREE\.documentQuota: give a whole number from 0/],
    ['a fraction', '{"FREE": {"maxApiKeys": 1.5}}', /FREE\.maxApiKeys: give a whole number/],
    ['too small a number', '{"FREE": {"maxBranches": 0}}', /FREE\.maxBranches: .* from 1 to 1000, or null/],
    ['null for a number', '{"FREE": {"documentQuota": null}}', /FREE\.documentQuota: give a whole number/],
    ['a price as a number', '{"GROWTH": {"monthlyPriceUsd": 90}}', /GROWTH\.monthlyPriceUsd: give dollars as text/],
    ['a price of three decimals', '{"GROWTH": {"monthlyPriceUsd": "9.005"}}', /GROWTH\.monthlyPriceUsd/],
    ['a negative price', '{"GROWTH": {"yearlyPriceUsd": "-1"}}', /GROWTH\.yearlyPriceUsd/],
    ['an unknown document type', '{"FREE": {"documentTypes": ["01", "99"]}}', /FREE\.documentTypes: give a list of 01/],
    ['no document type', '{"FREE": {"documentTypes": []}}', /FREE\.documentTypes/],
    ['a list of plans', '[]', /does not hold a JSON object/],
    ['broken JSON', '{"FREE": ', /is not JSON in UTF-8/],
    ['Latin-1', Uint8Array.of(0x22, 0xf1, 0x22), /is not JSON in UTF-8/],
  ])('rejects a file with %s', async (_name, content, expected) => {
    expect(await complaint(content)).toMatch(expected);
  });

  it('reports all errors at once, in the order of the file, under the name of the setting', async () => {
    const path = await written('{"SOLO": {}, "FREE": {"maxApiKeys": -1, "x": 1}}');
    expect(() => readConfig({ PLANS_FILE: path })).toThrow(
      /^PLANS_FILE: .*plans\.json: SOLO: .*FREE\.maxApiKeys: .*FREE\.x: /,
    );
  });

  it('rejects the name of a missing file', () => {
    expect(() => readConfig({ PLANS_FILE: join(folder, 'none.json') })).toThrow(
      /PLANS_FILE: .*none\.json .*\(ENOENT\)/,
    );
  });
});
