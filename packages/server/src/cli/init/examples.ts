/** A sample batch: an ordinary invoice, one of two lines, one to an unnamed consumer, as Excel writes them. */
export function exampleRows(): string {
  const rows = [
    'referencia;identificacion;nombre;correo;codigo;descripcion;cantidad;precio_unitario;descuento;iva;forma_pago',
    'PED-1001;1710034065;María José Ñacata;maria@example.com;CAF-01;Café de Loja, 400 g;2;7,25;;15;01',
    'PED-1002;1760013210001;Servicio de Rentas Internas;compras@example.com;LIB-07;Libro;3;8,46;;0;20',
    'PED-1002;1760013210001;Servicio de Rentas Internas;compras@example.com;SRV-02;Instalación;1;30,00;2,50;15;20',
    'PED-1003;9999999999999;CONSUMIDOR FINAL;consumidor@example.com;AGU-01;Agua sin gas;4;0,60;;15;01',
  ];
  // The mark tells Excel that this is UTF-8.
  return `\uFEFF${rows.join('\r\n')}\r\n`;
}

/** A body for `invoice create`. */
export function exampleInvoice(): string {
  const body = {
    documentType: '01',
    buyer: { idType: '05', id: '1710034065', name: 'María José Ñacata', email: 'maria@example.com' },
    items: [
      {
        mainCode: 'CAF-01',
        description: 'Café de Loja, 400 g',
        quantity: '2',
        unitPrice: '7.25',
        taxes: [{ code: '2', rateCode: '4', rate: '15' }],
      },
    ],
    payments: [{ method: '01' }],
  };
  return `${JSON.stringify(body, null, 2)}\n`;
}
