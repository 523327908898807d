// Writes the types of `sri-core/client` anew from the description of the interface: `npm run client:types`.
import { writeFileSync } from 'node:fs';
import { describeEverything } from '../src/all-routes.ts';
import { writeClientTypes } from './client-types.ts';

const baseUrl = 'http://localhost:3000';
const target = new URL('../../sri-core/src/client/api.ts', import.meta.url);
writeFileSync(target, await writeClientTypes(describeEverything({ baseUrl, docsUrl: `${baseUrl}/docs` })));
