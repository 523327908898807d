import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openTestServer } from '../testing/test-server.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');
const METRIC = /\b(?:sri|process)_[a-z_]+/g;

const server = await openTestServer();
const NAMES = server.services.metrics.registry.getMetricsAsArray().map(({ name }) => name);
await server.close();

/** The metrics named in a text. Queries name the parts of histograms. */
const namedIn = (text: string) =>
  new Set([...text.matchAll(METRIC)].map(([name]) => name.replace(/_(bucket|count|sum)$/, '')));

it('the dashboard and the eight alerts query existing metrics', () => {
  const dashboard: { panels: { title: string; targets: { expr: string }[] }[] } = JSON.parse(
    read('deploy/monitoring/grafana-dashboard.json'),
  );
  const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const alerts = read('deploy/monitoring/alerts.yml');
  expect(alerts.match(/- alert: \w+/g)).toHaveLength(8);
  expect(queries.length).toBeGreaterThanOrEqual(dashboard.panels.length);
  const asked = [...namedIn(queries.join('\n')), ...namedIn(alerts.replace(/^#.*/, ''))];
  expect(asked.filter((name) => !NAMES.includes(name))).toEqual([]);
  const hidden = NAMES.filter((name) => !namedIn(queries.join('\n')).has(name));
  expect(hidden, 'the dashboard shows every metric').toEqual([]);
});

it.each(['en', 'es'])('the documentation lists every metric and its labels (%s)', async (language) => {
  const rows = read(`docs/${language}/monitoring.md`)
    .split('\n')
    .filter((line) => /^\| `(sri|process)_/.test(line));
  expect([...namedIn(rows.join('\n'))].toSorted()).toEqual(NAMES.toSorted());
  for (const metric of server.services.metrics.registry.getMetricsAsArray()) {
    const row = rows.find((line) => line.includes(`\`${metric.name}\``)) ?? '';
    const labels = (Reflect.get(metric, 'labelNames') ?? []) as readonly string[];
    for (const label of labels) expect(row, metric.name).toContain(`\`${label}\``);
  }
});
