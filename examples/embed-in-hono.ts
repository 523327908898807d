// Invoices in a Hono application. Run: npm run examples -- embed-in-hono
import { Hono } from 'hono';
import { issue, openEngine, postSample, toRefusal } from './shop/engine.ts';

const engine = await openEngine(process.argv.slice(2));
engine.start(); // works off what is queued, until engine.stop()

const app = new Hono();
app.onError((error) => {
  const { status, body } = toRefusal(error);
  return Response.json(body, { status });
});
app.post('/invoices', async (context) =>
  Response.json(await issue(engine, await context.req.json(), context.req.header('idempotency-key')), { status: 202 }),
);

await postSample(async (request) => app.fetch(request), 'http://shop.example/invoices');
await engine.stop();
