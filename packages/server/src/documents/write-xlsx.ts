import { Zip, ZipDeflate } from 'fflate';
import { type Language, type LocalizedText, translate } from 'sri-core';
import { escapeHtml } from '../platform/escape-html.js';
import { type CellForm, EXPORT_COLUMNS, type ExportRow, withoutFormula } from './export-columns.js';

/**
 * A workbook (Office Open XML, ECMA-376 part 1) with a row for each document: days are dates, amounts are numbers. Rows
 * are compressed as they arrive. A full sheet is followed by another.
 */
export async function* writeXlsx(rows: AsyncIterable<ExportRow>, language: Language): AsyncGenerator<Uint8Array> {
  const archive = createArchive();
  const head = EXPORT_COLUMNS.map(({ head }) => ({ form: 'head', value: translate(head, language) }) as const);
  let sheets = 0;
  let line = 0;
  const begin = () => {
    sheets += 1;
    line = 1;
    archive.begin(`xl/worksheets/sheet${sheets}.xml`);
    archive.write(`${SHEET_START}${toRow(line, head)}`);
  };
  begin();
  for await (const row of rows) {
    if (line >= MOST_ROWS) {
      archive.end(SHEET_END);
      begin();
    }
    line += 1;
    const cells = EXPORT_COLUMNS.map(({ form, of }) => ({ form, value: of(row, language) }));
    archive.write(toRow(line, cells));
    yield* archive.take();
  }
  archive.end(SHEET_END);
  for (const [name, content] of partsAround(sheets, language)) {
    archive.begin(name);
    archive.end(content);
  }
  archive.close();
  yield* archive.take();
}

// --- internal ---

/** Rows that a sheet holds, with its head. */
const MOST_ROWS = 1_048_576;

const SHEET_NAME: LocalizedText = { es: 'Documentos', en: 'Documents' };

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The head stays in view. */
const SHEET_START = `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="${EXPORT_COLUMNS.length}" width="16" customWidth="1"/></cols><sheetData>`;
const SHEET_END = '</sheetData></worksheet>';

/** The places of the cells' styles in `STYLES`. Formats 14 and 4 are built in: a day, and a number with two decimals. */
const STYLE_OF = { text: 0, head: 1, day: 2, number: 3 } as const;
const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="14" applyNumberFormat="1"/><xf xfId="0" numFmtId="4" applyNumberFormat="1"/></cellXfs></styleSheet>`;

/** The letters of each column: `A` … `AI`. */
const LETTERS = EXPORT_COLUMNS.map((_, index) => lettersOf(index));

interface Cell {
  readonly form: CellForm | 'head';
  readonly value: string;
}

function lettersOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : lettersOf(Math.floor(index / 26) - 1) + last;
}

function toRow(line: number, cells: readonly Cell[]): string {
  return `<row r="${line}">${cells.map((cell, index) => toCell(`${LETTERS[index]}${line}`, cell)).join('')}</row>`;
}

function toCell(place: string, { form, value }: Cell): string {
  if (value === '') return '';
  const start = `<c r="${place}" s="${STYLE_OF[form]}"`;
  if (form === 'number') return `${start}><v>${value}</v></c>`;
  if (form === 'day') return `${start}><v>${toSerial(value)}</v></c>`;
  const text = escapeHtml(withoutFormula(value)).replace(UNWRITABLE, '');
  return `${start} t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}

/** Characters that XML does not hold. */
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** The days since 30 December 1899, as a sheet counts them. */
function toSerial(day: string): number {
  return (Date.parse(day) - Date.UTC(1899, 11, 30)) / 86_400_000;
}

/** The parts of the workbook other than its sheets. */
function partsAround(sheets: number, language: Language): readonly (readonly [name: string, content: string])[] {
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1);
  const nameOf = (number: number) => `${translate(SHEET_NAME, language)}${number === 1 ? '' : ` ${number}`}`;
  const sheetTypes = numbers.map(
    (number) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${TYPE}.worksheet+xml"/>`,
  );
  const sheetList = numbers.map(
    (number) => `<sheet name="${nameOf(number)}" sheetId="${number}" r:id="rId${number}"/>`,
  );
  const targets = numbers.map(
    (number) => `<Relationship Id="rId${number}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
  );
  return [
    ['xl/styles.xml', STYLES],
    [
      'xl/workbook.xml',
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheetList.join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${XML}<Relationships xmlns="${RELATIONS}">${targets.join('')}<Relationship Id="rId${sheets + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    ],
    [
      '_rels/.rels',
      `${XML}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      '[Content_Types].xml',
      `${XML}<Types xmlns="${TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>${sheetTypes.join('')}</Types>`,
    ],
  ];
}

/** A compressed archive whose bytes are taken away while it grows. */
function createArchive() {
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    ready.push(bytes);
  });
  let file: ZipDeflate | null = null;
  return {
    begin(name: string): void {
      file = new ZipDeflate(name, { level: 1 });
      file.mtime = EARLIEST;
      zip.add(file);
    },
    write(text: string): void {
      file?.push(Buffer.from(text));
    },
    end(text: string): void {
      file?.push(Buffer.from(text), true);
    },
    close: () => zip.end(),
    take: () => ready.splice(0),
  };
}

/** The earliest date of an archive, for the parts of a workbook, which have no date. */
const EARLIEST = new Date(1980, 0, 1);
