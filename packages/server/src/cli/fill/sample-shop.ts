/** A customer or supplier of the sample shop. No person or company has its number. */
export interface SampleParty {
  readonly idType: '04' | '05';
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly address: string;
}

/** A product of the sample shop. */
export interface SampleProduct {
  readonly mainCode: string;
  readonly description: string;
  /** In dollars, before IVA. */
  readonly unitPrice: string;
  readonly rateCode: '0' | '4' | '5';
  readonly rate: string;
  /** The most pieces in a line. */
  readonly most: number;
}

/** Its customers. */
export const CUSTOMERS = [
  company('1799991019001', 'Cafetería La Ronda Cía. Ltda.', 'laronda', 'Morales Oe1-12, Quito'),
  company('1799992147001', 'Hotel Mirador del Cotopaxi S.A.', 'mirador', 'Panamericana km 62, Lasso'),
  company('1799993267001', 'Panadería San Blas', 'sanblas', 'Manuel Vega 3-40, Cuenca'),
  company('1799994387001', 'Distribuidora Ñusta del Sur S.A.', 'nusta', '18 de Noviembre 10-33, Loja'),
  company('1799995472001', 'Supermercado El Huerto & Hijos', 'elhuerto', 'Av. Cevallos 5-18, Ambato'),
  person('2459991184', 'María José Ñacata Pérez', 'mj.nacata', 'Av. González Suárez N32-17, Quito'),
  person('2459992257', 'Luis Alberto Guamán', 'l.guaman', 'Rocafuerte 8-20, Riobamba'),
  person('2459993370', 'Carmen Zambrano Intriago', 'c.zambrano', 'Av. Malecón y Calle 15, Manta'),
  person('2459994428', 'Jorge Andrade Vélez', 'j.andrade', 'Bolívar 12-60, Ibarra'),
  person('2459995599', 'Rosa Elena Chimbo', 'r.chimbo', 'Comunidad San Pablo, Otavalo'),
] as const;

/** Its suppliers. */
export const SUPPLIERS = [
  company('1799996126001', 'Empaques Andinos S.A.', 'empaques', 'Parque Industrial, Cuenca'),
  company('1799997297001', 'Servicios Contables Pichincha Cía. Ltda.', 'contables', 'Av. Amazonas N24-55, Quito'),
  company('1799998358001', 'Transportes Peña Hermanos S.A.', 'pena', 'Av. Huayna Cápac 1-20, Cuenca'),
] as const;

/** Its suppliers who issue no documents. */
export const GROWERS = [
  person('2459996639', 'Segundo Quishpe', 's.quishpe', 'Vilcabamba, Loja'),
  person('2459997744', 'Dolores Jima', 'd.jima', 'Zaruma, El Oro'),
] as const;

/** The goods of the shop. */
export const PRODUCTS: readonly [SampleProduct, ...SampleProduct[]] = [
  product('CAF-250', 'Café de Loja tostado, 250 g', '5.40', '4', 12),
  product('CAF-500', 'Café de Loja molido, 500 g', '9.80', '4', 8),
  product('CAF-KG', 'Café en grano de Zaruma, kilo', '18.25', '4', 20),
  product('TAZ-01', 'Taza de cerámica de Chordeleg', '7.50', '4', 6),
  product('FIL-100', 'Filtros de papel, 100 unidades', '3.15', '4', 10),
  product('PRE-01', 'Prensa francesa de 800 ml', '24.90', '4', 2),
  product('MOL-02', 'Molino manual de cerámica', '38.00', '4', 1),
  product('LIB-07', 'Libro «El café de Loja»', '12.00', '0', 2),
  product('PAN-10', 'Panela granulada orgánica, kilo', '2.80', '0', 15),
  product('CUR-01', 'Curso de barismo, cuatro horas', '45.00', '4', 3),
];

// --- internal ---

function product(
  mainCode: string,
  description: string,
  unitPrice: string,
  rateCode: SampleProduct['rateCode'],
  most: number,
): SampleProduct {
  return { mainCode, description, unitPrice, rateCode, rate: rateCode === '4' ? '15' : '0', most };
}

/** The series 179999 of companies is not in use. */
function company(id: string, name: string, mailbox: string, address: string): SampleParty {
  return { idType: '04', id, name, email: `${mailbox}@example.com`, address };
}

/** The series 245999 of persons is not in use. */
function person(id: string, name: string, mailbox: string, address: string): SampleParty {
  return { idType: '05', id, name, email: `${mailbox}@example.com`, address };
}
