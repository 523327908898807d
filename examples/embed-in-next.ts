// Invoices in a Next.js application: this is app/invoices/route.ts, whose POST Next calls with a Request.
// Run: npm run examples -- embed-in-next
import { issue, openEngine, postSample, toRefusal } from './shop/engine.ts';

// One engine for all requests of the process. Work off the queue in instrumentation.ts (`engine.start()`), or, where no
// process stays, call `engine.tick()` from a scheduled route.
const engine = await openEngine(process.argv.slice(2));

export async function POST(request: Request): Promise<Response> {
  try {
    const key = request.headers.get('idempotency-key') ?? undefined;
    return Response.json(await issue(engine, await request.json(), key), { status: 202 });
  } catch (error) {
    const { status, body } = toRefusal(error);
    return Response.json(body, { status });
  }
}

// What Next would do.
await postSample(POST, 'http://shop.example/invoices');
await engine.tick();
await engine.stop();
