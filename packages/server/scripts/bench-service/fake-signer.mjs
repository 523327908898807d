// Preloaded into a measured server: each key signs once, and its later signatures repeat that one. The rest is the work
// of the server and the database for a document, without the signature.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { sign } = crypto;
/** The server verifies the first signature of each key object. */
const signatures = new WeakMap();

crypto.sign = (algorithm, data, key, done) => {
  if (!done) return sign(algorithm, data, key);
  const known = signatures.get(key);
  if (known) return queueMicrotask(() => done(null, known));
  return sign(algorithm, data, key, (error, signature) => {
    if (signature) signatures.set(key, signature);
    done(error, signature);
  });
};
syncBuiltinESMExports();
