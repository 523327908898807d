import fc from 'fast-check';
import { documentTypes } from '../../catalogs/document-types.js';
import type { DeliveryGuideBody } from '../../documents/delivery-guide/body.js';
import { decimal, digits, documentNumber, maybe, nameValues, nastyText } from '../random-bodies.js';

/** Random bodies of delivery guides for `RANDOM_TODAY`, with optional parts in any combination. */
export const randomDeliveryGuide: fc.Arbitrary<DeliveryGuideBody> = fc
  .constantFrom(
    { startDate: '21/11/2026', endDate: '21/11/2026' },
    { startDate: '21/11/2026', endDate: '01/12/2026' },
    { startDate: '31/12/2026', endDate: '01/01/2027' },
    { startDate: '29/02/2028', endDate: '31/12/2099' },
  )
  .chain((dates) =>
    fc.record(
      {
        documentType: fc.constant('06' as const),
        issueDate: fc.constantFrom('21/11/2026', null),
        carrier: fc.record(
          {
            idType: fc.constantFrom('04' as const, '05' as const, '06' as const, '08' as const),
            id: identification(),
            name: nastyText(300),
            email: address(),
            address: maybe(nastyText(300)),
          },
          { requiredKeys: ['idType', 'id', 'name'] },
        ),
        licensePlate: fc.oneof(fc.constantFrom('PBA1234', 'ABC-0123', 'X'), nastyText(20)),
        departureAddress: nastyText(300),
        startDate: fc.constant(dates.startDate),
        endDate: fc.constant(dates.endDate),
        recipients: fc.array(recipient(), { minLength: 1, maxLength: 4 }),
        additionalInfo: maybe(nameValues(15)),
      },
      {
        requiredKeys: [
          'documentType',
          'carrier',
          'licensePlate',
          'departureAddress',
          'startDate',
          'endDate',
          'recipients',
        ],
      },
    ),
  );

// --- internal ---

function identification(): fc.Arbitrary<string> {
  return fc.oneof(digits(10), digits(13), nastyText(20));
}

function address(): fc.Arbitrary<string | null> {
  return maybe(fc.constantFrom('a@b.ec', "o'brien+tag@sub.example.com.ec", 'x_y.z-1@example.org'));
}

function recipient() {
  return fc.record(
    {
      id: identification(),
      name: nastyText(300),
      address: nastyText(300),
      email: address(),
      reason: nastyText(300),
      customsDocument: maybe(nastyText(20)),
      branchCode: maybe(digits(3)),
      route: maybe(fc.oneof(nastyText(300), fc.constantFrom('', ' '))),
      supportingDocument: maybe(support()),
      items: fc.array(goods(), { minLength: 1, maxLength: 4 }),
    },
    { requiredKeys: ['id', 'name', 'address', 'reason', 'items'] },
  );
}

function support() {
  return fc.record(
    {
      documentType: fc.constantFrom(...documentTypes.map(({ code }) => code)),
      number: documentNumber(),
      authorizationNumber: maybe(fc.oneof(digits(10), digits(37), digits(49))),
      issueDate: fc.constantFrom('21/11/2026', '29/02/2016', '01/01/2000', null),
    },
    { requiredKeys: ['documentType', 'number'] },
  );
}

function goods() {
  return fc.record(
    {
      mainCode: maybe(nastyText(25)),
      auxiliaryCode: maybe(nastyText(25)),
      description: nastyText(300),
      quantity: fc.oneof(decimal(9, 6), decimal(999_999_999, 6), fc.constantFrom('0', '1', '000001.000000')),
      additionalDetails: maybe(nameValues(3)),
    },
    { requiredKeys: ['description', 'quantity'] },
  );
}
