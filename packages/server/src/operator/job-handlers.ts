import { json } from '../platform/http/answer.js';
import { choice, pathIdOrNone, queryPage } from '../platform/http/fields.js';
import { routeHandler } from '../platform/http/route.js';
import { listOf, okBody, paginationSchema } from '../platform/schema-words.js';
import { retryJob } from './administer-jobs.js';
import { listFailedJobs } from './failed-job-rows.js';
import type { OperatorCall } from './operator-route.js';
import { jobSchema, showJob } from './schemas.js';

/** `GET /v1/admin/jobs` */
export const getJobs = routeHandler({
  operation: {
    id: 'listFailedJobs',
    summary: 'Lists what was given up, newest first.',
    answers: { 200: okBody({ jobs: listOf(jobSchema, 'What was given up.'), pagination: paginationSchema }) },
  },
  query: {
    status: choice(['failed', 'FAILED'], 'The rest goes on by itself and is no matter of the operator.'),
    ...queryPage(),
  },
  answer: async ({ exchange }: OperatorCall, { query: { page, limit } }) => {
    const { jobs, total } = await exchange.services.database.read((tables) => listFailedJobs(tables, { page, limit }));
    return json(200, {
      ok: true,
      jobs: jobs.map((job) => showJob(job, exchange.language)),
      pagination: { total, page, limit },
    });
  },
});

/** `POST /v1/admin/jobs/:id/retry` */
export const postRetry = routeHandler({
  operation: {
    id: 'retryJob',
    summary: 'Tries something that was given up again.',
    answers: { 202: okBody({ job: jobSchema }) },
    refuses: ['NOT_FOUND', 'NOTHING_TO_RETRY', 'BAD_REQUEST'],
  },
  params: { id: pathIdOrNone('job') },
  answer: async ({ exchange, operator }: OperatorCall, { params: { id } }) => {
    const job = await retryJob(exchange.services, operator, id);
    return json(202, {
      ok: true,
      job: { ...showJob(job, exchange.language), status: 'PENDING', attemptCount: 0, lastError: null },
    });
  },
});
