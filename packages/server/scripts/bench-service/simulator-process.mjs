// The simulated SRI in its own process: `node simulator-process.mjs '{"latencyMs": 1000}'`.
import { createServer } from 'node:http';
import { createSimulator, toNodeListener } from 'sri-core/simulator';

const simulator = createSimulator(JSON.parse(process.argv[2] ?? '{}'));
const server = createServer(toNodeListener(simulator.handle));
server.listen(0, '127.0.0.1', () => {
  process.send({ url: `http://127.0.0.1:${server.address().port}/comprobantes-electronicos-ws` });
});
process.on('disconnect', () => process.exit(0));
