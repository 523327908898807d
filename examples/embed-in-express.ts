// Invoices in an Express application. Run: npm run examples -- embed-in-express
import type { AddressInfo } from 'node:net';
import express from 'express';
import { issue, openEngine, postSample, toRefusal } from './shop/engine.ts';

const engine = await openEngine(process.argv.slice(2));
engine.start(); // works off what is queued, until engine.stop()

const app = express();
app.use(express.json());
app.post('/invoices', async (request, response) => {
  try {
    response.status(202).json(await issue(engine, request.body, request.get('idempotency-key')));
  } catch (error) {
    const { status, body } = toRefusal(error);
    response.status(status).json(body);
  }
});

const server = app.listen(0, '127.0.0.1', async () => {
  const { port } = server.address() as AddressInfo;
  await postSample(fetch, `http://127.0.0.1:${port}/invoices`);
  server.close();
  await engine.stop();
});
