// Invoices in a Next.js application: this is app/invoices/route.ts, whose POST Next calls with a Request.
// next.config has `serverExternalPackages: ['sri-core', 'sri-storage-adapters']`. Run: npm run examples -- embed-in-next
import type { Engine } from 'sri-core';
import { issue, openEngine, postSample, toRefusal } from './shop/engine.ts';

// One engine for the process, in a file of its own. Next loads a file more than once, and during `next build`. Work off the
// queue in instrumentation.ts (`(await shop()).start()`), or, where no process stays, call `tick()` from a scheduled route.
const shared = globalThis as { shop?: Promise<Engine> };
const shop = () =>
  (shared.shop ??= openEngine(process.argv.slice(2)).catch((error) => {
    delete shared.shop; // the next request opens it
    throw error;
  }));

export async function POST(request: Request): Promise<Response> {
  try {
    const key = request.headers.get('idempotency-key') ?? undefined;
    return Response.json(await issue(await shop(), await request.json(), key), { status: 202 });
  } catch (error) {
    const { status, body } = toRefusal(error);
    return Response.json(body, { status });
  }
}

// What Next would do.
await postSample(POST, 'http://shop.example/invoices');
const engine = await shop();
await engine.tick();
await engine.stop();
