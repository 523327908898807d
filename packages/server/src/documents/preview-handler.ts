import { Type } from '@sinclair/typebox';
import { ecuadorDate, type PreviewedDocument, toIssueDate, uncheckedBody } from 'sri-core';
import type { IssuerCall } from '../issuers/index.js';
import { json } from '../platform/http/answer.js';
import { documentTypeField } from '../platform/http/document-type-field.js';
import { choice, queryDate } from '../platform/http/fields.js';
import type { JsonObject } from '../platform/http/parse-body.js';
import { routeHandler } from '../platform/http/route.js';
import { warningList } from '../platform/http/warnings-schema.js';
import { issueDate, listOf, maybe, money, named, okBody, part, type Shown, text } from '../platform/schema-words.js';
import { fillSums } from './fill-sums.js';
import { creationBody } from './handlers.js';
import { requireValidBody } from './review-body.js';
import { counterpartySchema, toCounterpartyBody, toWarningBodies } from './schemas.js';

const previewedSchema = named('PreviewedDocument', 'A document as it would be created now.', {
  documentType: documentTypeField,
  issueDate: issueDate('Day of issue.'),
  total: money('Total with taxes; what was withheld by a withholding, 0.00 for a delivery guide.'),
  counterparty: counterpartySchema,
  sums: listOf(
    part('A row.', {
      label: text('Its name, in the words of the SRI.', 'SUBTOTAL 15 %'),
      amount: money('Its amount.'),
    }),
    'The rows at the foot of its RIDE; none for a delivery guide.',
  ),
});

/** `POST /v1/documents/preview` */
export const previewDocument = routeHandler({
  operation: {
    id: 'previewDocument',
    summary: 'Shows a document as it would be created: sums, warnings, XML and RIDE.',
    description:
      'Takes the body of a creation and refuses what a creation refuses. The document gets no number and no signature, is not stored and does not count. Its `secuencial` and its access key have zeros in the place of the number, and its RIDE says that it is a preview.',
    answers: {
      200: okBody({
        document: previewedSchema,
        warnings: warningList,
        xml: text('The comprobante, unsigned.', '<?xml version="1.0" encoding="UTF-8"?>'),
        body: maybe(
          Type.Record(Type.String(), Type.Unknown(), {
            description: 'The body with the sums it left out, as a creation takes it; with `fill=true`.',
          }),
        ),
        ridePdf: maybe(
          Type.String({ description: 'The RIDE, a PDF in base64; with `ride=true`.', contentEncoding: 'base64' }),
        ),
      }),
    },
    refuses: ['ISSUER_ISSUING_PAUSED', 'DOCUMENT_TYPE_NOT_ENABLED', 'BAD_REQUEST'],
  },
  query: {
    ride: choice(['true', 'false'], 'Whether to print the RIDE too; `false` unless given.'),
    fill: choice(['true', 'false'], 'Whether sums may be left out, and are given back; `false` unless given.'),
    issueDate: queryDate(
      'The day of issue, DD/MM/YYYY: that of a document whose correction keeps it. Today unless given.',
    ),
  },
  body: creationBody,
  parse: (exchange, { body, query }) =>
    exchange.inTurn(async () => {
      const day = query.issueDate ?? ecuadorDate(exchange.services.clock.now());
      return {
        body: query.fill === 'true' ? (fillSums(body, exchange.language, day) as JsonObject) : body,
        query,
        day,
      };
    }),
  review: (exchange, { body, day }) => exchange.inTurn(async () => requireValidBody(exchange, body, day)),
  answer: async ({ exchange, scope, issuer }: IssuerCall, { body, query, day }) => {
    const { engine, openIssuer, printRide } = exchange.services;
    const opened = await openIssuer(issuer);
    const { document, warnings, xml } = await exchange.inTurn(() =>
      engine.preview(scope, uncheckedBody(body), { issuer: opened, day }),
    );
    // Printed here and not by the engine: the turn of a large body must not wait for a thread.
    const ridePdf = query.ride === 'true' ? await printRide(exchange.caller, { xml, logo: opened.logo ?? null }) : null;
    return json(200, {
      ok: true,
      document: toPreviewedBody(document),
      warnings: toWarningBodies(warnings, exchange.language).warnings ?? [],
      xml,
      ...(query.fill === 'true' ? { body } : {}),
      ...(ridePdf ? { ridePdf: Buffer.from(ridePdf).toString('base64') } : {}),
    });
  },
});

// --- internal ---

function toPreviewedBody(document: PreviewedDocument): Shown<typeof previewedSchema> {
  return {
    documentType: document.documentType,
    issueDate: toIssueDate(document.issueDate),
    total: document.total,
    counterparty: toCounterpartyBody(document),
    sums: document.sums.map(({ label, amount }) => ({ label, amount })),
  };
}
