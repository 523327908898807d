// Preloaded into a server that is measured: each key signs once, and that signature stands for all later ones. What is left is
// what the server and the database do for a document besides the signature.
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
