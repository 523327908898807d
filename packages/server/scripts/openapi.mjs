// Prints the OpenAPI description of every route: `npm run openapi --silent > openapi.json`.
import { describeEverything } from '../src/all-routes.ts';

const baseUrl = (process.argv[2] ?? 'http://localhost:3000').replace(/\/$/, '');
console.log(JSON.stringify(describeEverything({ baseUrl, docsUrl: `${baseUrl}/docs` }), null, 2));
