import { expect, it } from 'vitest';
import { toMailPreview } from './mail-preview.js';

it('a preview has its pictures in the page, and lists the other files', () => {
  const { html, attachments } = toMailPreview({
    id: '1',
    to: 'ana@ejemplo.ec',
    subject: 'Factura',
    date: new Date(0),
    text: '',
    html: '<img src="cid:logo"><p>cid:logo</p>',
    attachments: [
      { filename: 'RIDE.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-') },
      { filename: 'logo.png', contentType: 'image/png', content: Buffer.from('png'), cid: 'logo' },
    ],
  });
  expect(html).toBe('<img src="data:image/png;base64,cG5n"><p>cid:logo</p>');
  expect(attachments).toEqual(['RIDE.pdf']);
});
