// Invoices in a Fastify application. Run: npm run examples -- embed-in-fastify
import fastify from 'fastify';
import { issue, openEngine, postSample, toRefusal } from './shop/engine.ts';

const engine = await openEngine(process.argv.slice(2));
engine.start(); // works off what is queued, until engine.stop()

const app = fastify();
// Before the server closes: calls of `issue` that wait would keep their connections open, for up to 72 seconds.
app.addHook('preClose', () => engine.stop());
app.setErrorHandler((error, _request, reply) => {
  const { status, body } = toRefusal(error);
  return reply.status(status).send(body);
});
app.post('/invoices', async (request, reply) => {
  const key = request.headers['idempotency-key'];
  return reply.status(202).send(await issue(engine, request.body, typeof key === 'string' ? key : undefined));
});

const url = await app.listen({ port: 0, host: '127.0.0.1' });
await postSample(fetch, `${url}/invoices`);
await app.close();
