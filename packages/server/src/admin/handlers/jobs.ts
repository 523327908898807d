import { json } from '../../http/answer.js';
import { QueryReader } from '../../http/parse-query.js';
import { defineHandler, type OperatorCall } from '../../http/route.js';
import { findFailedJobs, retryJob } from '../job-administration.js';
import { showJob } from '../shown.js';
import { readId, readPage } from './read-request.js';

/** `GET /v1/admin/jobs` */
export const getJobs = defineHandler({
  parse: (exchange) => {
    const query = new QueryReader(exchange.search);
    // The rest goes on by itself and is no matter of the operator's.
    query.choice('status', ['failed', 'FAILED']);
    const page = readPage(query);
    query.done();
    return page;
  },
  answer: async ({ exchange }: OperatorCall, { page, limit }) => {
    const { jobs, total } = await findFailedJobs(exchange.services, { page, limit });
    return json(200, { ok: true, jobs: jobs.map(showJob), pagination: { total, page, limit } });
  },
});

/** `POST /v1/admin/jobs/:id/retry` */
export const postRetry = defineHandler({
  parse: (exchange) => readId(exchange),
  answer: async ({ exchange, operator }: OperatorCall, id) => {
    const job = await retryJob(exchange.services, operator, id);
    return json(202, { ok: true, job: { ...showJob(job), status: 'PENDING', attemptCount: 0, lastError: null } });
  },
});
