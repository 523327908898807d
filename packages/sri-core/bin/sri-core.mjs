#!/usr/bin/env node
// Stands here before anything is built, so that npm can link it in a checkout as well.
import { existsSync } from 'node:fs';

const program = new URL('../dist/sri-core.js', import.meta.url);
if (existsSync(program)) await import(program.href);
else {
  process.stderr.write('This checkout is not built yet: npm run build:js\n');
  process.exitCode = 1;
}
