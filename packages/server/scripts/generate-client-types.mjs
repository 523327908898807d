// Writes the types of `sri-core/client` from the description of the interface: `npm run client:types`.
import { describeEverything } from '../src/all-routes.ts';
import { writeClientTypes } from './client-types.ts';

const baseUrl = 'http://localhost:3000';
await writeClientTypes(describeEverything({ baseUrl, docsUrl: `${baseUrl}/docs` }));
