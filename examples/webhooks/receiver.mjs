import { createServer } from 'node:http';
import { verifyWebhook, WebhookVerificationError } from 'sri-core/webhooks';

const seen = new Set(); // Keep it where it outlives a restart.
createServer(async (request, response) => {
  try {
    const rawBody = Buffer.concat(await request.toArray());
    const event = verifyWebhook({ rawBody, headers: request.headers, secret: process.env.WEBHOOK_SECRET });
    if (!seen.has(event.deliveryId)) console.log(event.event, event.data.message);
    seen.add(event.deliveryId);
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
  }
}).listen(Number(process.env.PORT ?? 8080));
