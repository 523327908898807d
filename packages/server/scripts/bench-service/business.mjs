// The invoices of the benchmarks: several issuers of very different size, each with its own buyers, articles and prices,
// and one to five lines. Used over HTTP and for direct inserts into a database.
import { randomBytes, randomInt } from 'node:crypto';

/** Accounts, with one issuer each. */
export const ISSUERS = Number(process.env.BENCH_ISSUERS ?? 12);

/** The share of all documents from the first account's issuer; the others share the rest. */
const LARGEST_SHARE = 0.75;

/** The largest issuer has a quarter of a million buyers in a million documents. */
const DOCUMENTS_A_BUYER = 4;

/** Opens accounts with an issuer each. @returns the headers of their requests, the largest first. */
export async function openIssuers(tools, url, count) {
  const accounts = [];
  for (let index = 0; index < count; index += 1) {
    const ruc = index === 0 ? '1760013210001' : `17600${10_000 + index}001`;
    accounts.push(await tools.openAccount(url, { ruc }));
  }
  return accounts;
}

/** Picks the issuer of the next document. */
export function pickIssuer(count) {
  return count === 1 || Math.random() < LARGEST_SHARE ? 0 : 1 + randomInt(count - 1);
}

/** The share of all documents from an issuer. */
export function shareOf(index, count) {
  if (count === 1) return 1;
  return index === 0 ? LARGEST_SHARE : (1 - LARGEST_SHARE) / (count - 1);
}

/** Picks a buyer of an issuer with that many documents. The same number is the same buyer. */
export function pickBuyer(documents) {
  return buyerOf(randomInt(Math.max(2, Math.ceil(documents / DOCUMENTS_A_BUYER))));
}

/** The creation body of an invoice. */
export function invoice(documents) {
  const { id, name, email } = pickBuyer(documents);
  let cents = 0;
  const items = Array.from({ length: 1 + randomInt(5) }, () => {
    const article = ARTICLES[randomInt(ARTICLES.length)];
    const price = randomInt(1, 10_000);
    const quantity = 1 + randomInt(5);
    const base = price * quantity;
    const tax = Math.round(base * 0.15);
    cents += base + tax;
    return {
      mainCode: `ART-${1000 + randomInt(500)}`,
      description: article,
      quantity: String(quantity),
      unitPrice: money(price),
      taxes: [{ code: '2', rateCode: '4', rate: '15', taxableBase: money(base), taxAmount: money(tax) }],
    };
  });
  return {
    documentType: '01',
    buyer: { idType: '05', id, name, email },
    items,
    payments: [{ method: '20', total: money(cents) }],
  };
}

/** A key in the form that clients use. */
export function idempotencyKey() {
  return `order-${randomBytes(8).toString('hex')}`;
}

// --- internal ---

function money(cents) {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

/** The buyer of a number. Names have few distinct words, as people's do; cédula and address follow from the number. */
function buyerOf(number) {
  const name = [
    GIVEN[number % GIVEN.length],
    GIVEN[(number * 7 + 3) % GIVEN.length],
    FAMILIES[Math.floor(number / GIVEN.length) % FAMILIES.length],
    FAMILIES[(number * 13 + Math.floor(number / 997)) % FAMILIES.length],
  ].join(' ');
  return { id: toCedula(number), name, email: `buyer${number}@example.com` };
}

/** A cédula's check digit, modulo 10. */
function toCedula(number) {
  const digits = `17${String(number % 6_000_000).padStart(7, '0')}`;
  let sum = 0;
  for (let place = 0; place < 9; place += 1) {
    const doubled = Number(digits[place]) * (place % 2 === 0 ? 2 : 1);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const ARTICLES =
  'Café de Loja, 400 g|Arroz flor, 2 kg|Atún en aceite, 180 g|Aceite de girasol, 1 l|Jabón de lavar|Papel higiénico, 12 rollos|Cuaderno universitario, 100 hojas|Esfero azul|Foco LED 9 W|Cable eléctrico n.º 12, metro|Cemento, saco de 50 kg|Pintura blanca, galón|Consulta médica|Mantenimiento preventivo de equipos|Servicio de transporte|Llanta 185/65 R15|Aceite de motor 20W50|Leche entera, 1 l|Queso fresco, 500 g|Pan de agua'.split(
    '|',
  );
const GIVEN =
  'María José Luis Ana Carlos Rosa Juan Carmen Jorge Luz Ángel Narcisa Byron Óscar Íñigo Mercedes Bolívar Diego Elena Fausto Gladys Hernán Inés Jaime Karla Néstor Olga Pablo Segundo Tania Ulises Verónica Wilson Ximena Zoila'.split(
    ' ',
  );
const FAMILIES =
  'Núñez Zambrano Vera Cedeño Mendoza Muñoz Guamán Quishpe Paredes Huelva Chicaiza Yépez Ordóñez Alvarado Bravo Cevallos Delgado Espinoza Flores Guerrero Hidalgo Intriago Jaramillo Loor Macías Naranjo Ortiz Ponce Quinteros Rivas Salazar Tapia Ñacata Chimbo Morales Andrade Toapanta Sarmiento Tipán Villacís Oñate Cabrera Lema Espín Ruales'.split(
    ' ',
  );
