// The limit that other figures are compared with: RSA-2048 signatures on one thread, in its own process.
import { generateKeyPairSync, sign } from 'node:crypto';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const data = Buffer.alloc(1_500, 'x');
process.on('message', ({ ms }) => {
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  let signed = 0;
  for (; performance.now() - startedAt < ms; signed += 1) sign('sha1', data, privateKey);
  const { user, system } = process.cpuUsage(cpuBefore);
  process.send({
    perSecond: signed / ((performance.now() - startedAt) / 1000),
    perCpuSecond: (signed / (user + system)) * 1e6,
  });
});
process.send({ ready: true });
