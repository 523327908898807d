import { expect, it } from 'vitest';
import { allRoutes } from './all-routes.js';

interface Rows {
  costliestRequests(place: Readonly<Record<string, unknown>>): Readonly<Record<string, object>>;
}

// A route without a row would be missing from the results of `bench:service -- starve`.
it('the benchmark of hostile callers has a costliest request for every route, and for no other', async () => {
  const { href } = new URL('../scripts/bench-service/starve-requests.mjs', import.meta.url);
  const { costliestRequests }: Rows = await import(href);
  const urls = { baseUrl: 'http://localhost', docsUrl: 'http://localhost/docs' };
  const routes = allRoutes({ urls, hasOperator: true }).filter(({ access }) => access !== 'admin');
  const rows = costliestRequests({ account: {}, secret: '' });
  expect(Object.keys(rows).toSorted(), 'scripts/bench-service/starve-requests.mjs').toEqual(
    routes.map(({ method, path }) => `${method} ${path}`).toSorted(),
  );
});
