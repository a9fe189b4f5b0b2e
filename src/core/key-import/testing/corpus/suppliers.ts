import { makeWorkbook } from '../make-workbook.ts'
import { one } from './case.ts'
import type { CorpusCase } from './case.ts'

/** Headers as suppliers of a country name them; `western`: Windows-1252 has their letters. */
type Language = {
  name: string
  key: string
  offer: string
  region: string
  price: string
  count: string
  title: string
  western: boolean
}
const language = (
  name: string,
  western: boolean,
  [key = '', offer = '', region = '', price = '', count = '', title = '']: readonly string[],
): Language => ({ name, key, offer, region, price, count, title, western })

const languages: readonly Language[] = [
  language('en', true, ['CD Key', 'SKU', 'Region', 'Price', 'Qty', 'Delivery of November']),
  language('de', true, ['Produktschlüssel', 'Spiel', 'Land', 'Preis', 'Anzahl', 'Lieferung']),
  language('fr', true, ['Clé', 'Jeu', 'Région', 'Prix', 'Quantité', 'Livraison de novembre']),
  language('es', true, ['Código', 'Juego', 'Región', 'Precio', 'Cantidad', 'Entrega']),
  language('pt', true, ['Chave', 'Jogo', 'Região', 'Preço', 'Quantidade', 'Entrega']),
  language('it', true, ['Chiave', 'Gioco', 'Regione', 'Prezzo', 'Quantità', 'Consegna']),
  language('pl', false, ['Klucz', 'Gra', 'Kraj', 'Cena', 'Ilość', 'Dostawa']),
  language('nl', true, ['Licentiesleutel', 'Spel', 'Regio', 'Prijs', 'Aantal', 'Levering']),
  language('ru', false, ['Ключ', 'Игра', 'Регион', 'Цена', 'Количество', 'Поставка']),
  language('tr', false, ['Anahtar', 'Oyun', 'Bölge', 'Fiyat', 'Adet', 'Teslimat']),
  language('zh', false, ['激活码', '游戏名称', '地区', '价格', '数量', '十一月交货']),
  language('ja', false, ['シリアルコード', 'ゲーム', '地域', '価格', '数量', '十一月の納品']),
]

/** A row of the delivery and the outcome of its line; `text` is what the line contains as its key. */
type Delivered = { offer: string; cell: string; outcome: string; text: string }

function deliveryOf(batch: string): Delivered[] {
  const key = (index: number): string => `${batch}-QWRTZ-0000${index}`
  const gog = `${batch}-QWRTZ-PLKJH-00002`
  const row = (offer: string, cell: string, outcome: string, text = cell): Delivered => ({
    offer,
    cell,
    outcome,
    text,
  })
  return [
    row('10442', key(1), 'steam ready'),
    row('10871', gog, 'gog ready'),
    row('MIRR-EU', key(3), 'no-offer'),
    row('10442', key(4), 'steam ready'),
    row('10442', key(1), 'steam duplicate duplicate-in-file'),
    row('10442', 'N/A', 'steam set-aside placeholder'),
    row('10442', `${key(5)} used`, 'steam set-aside marked-used', key(5)),
    row('10442', '1.23E+15', 'steam refused spreadsheet-damage'),
    row('10442', `Key: ${key(6)}`, 'steam ready label-removed', key(6)),
    row('10442', ` ${key(7)} `, 'steam ready spaces-removed', key(7)),
  ]
}

type Layout = {
  name: string
  extension: string
  /** The order of the columns: key, offer, region, price, count. */
  order: readonly ('key' | 'offer' | 'region' | 'price' | 'count')[]
  /** Lines above the header. */
  titles: (title: string) => readonly string[]
  bytes: (lines: readonly (readonly string[])[], titles: readonly string[], of: Language) => Buffer
  settings: CorpusCase['settings']
}

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')
const western = (text: string, of: Language): Buffer =>
  of.western ? Buffer.from(text, 'latin1') : utf16(text)
const joined = (
  lines: readonly (readonly string[])[],
  titles: readonly string[],
  delimiter: string,
  end: string,
  cell: (text: string) => string = (text) => text,
): string => [...titles, ...lines.map((cells) => cells.map(cell).join(delimiter)), ''].join(end)

const layouts: readonly Layout[] = [
  {
    name: 'semicolons with a byte order mark',
    extension: 'csv',
    order: ['offer', 'key', 'region', 'price', 'count'],
    titles: () => [],
    bytes: (lines, titles) => Buffer.from(`\ufeff${joined(lines, titles, ';', '\r\n')}`),
    settings: { delimiter: ';', encoding: 'utf-8', keyColumn: 1, offerColumn: 0, skipLines: 0 },
  },
  {
    name: 'commas and quotes in a national encoding',
    extension: 'csv',
    order: ['region', 'offer', 'price', 'count', 'key'],
    titles: () => [],
    bytes: (lines, titles, of) =>
      western(
        joined(lines, titles, ',', '\r\n', (text) => `"${text}"`),
        of,
      ),
    settings: { delimiter: ',', keyColumn: 4, offerColumn: 1, skipLines: 0 },
  },
  {
    name: 'tabs in UTF-16 below title lines',
    extension: 'txt',
    order: ['key', 'region', 'offer', 'price', 'count'],
    titles: (title) => [title, '', '2026-11-20'],
    bytes: (lines, titles) => utf16(joined(lines, titles, '\t', '\r\n')),
    settings: {
      delimiter: '\t',
      encoding: 'utf-16le',
      keyColumn: 0,
      offerColumn: 2,
      skipLines: 3,
    },
  },
  {
    name: 'a line that declares the delimiter',
    extension: 'csv',
    order: ['price', 'key', 'offer', 'count', 'region'],
    titles: () => ['sep=;'],
    bytes: (lines, titles) => Buffer.from(joined(lines, titles, ';', '\n')),
    settings: { delimiter: ';', keyColumn: 1, offerColumn: 2, skipLines: 1 },
  },
  {
    name: 'a workbook with titles above its header',
    extension: 'xlsx',
    order: ['offer', 'region', 'key', 'price', 'count'],
    titles: (title) => [title, 'ACME'],
    bytes: (lines, titles) =>
      makeWorkbook([{ name: 'S', rows: [...titles.map((title) => [title]), ...lines] }]),
    settings: { form: 'table', keyColumn: 2, offerColumn: 0, skipLines: 2 },
  },
  {
    name: 'pipes and old line ends',
    extension: 'txt',
    order: ['count', 'offer', 'region', 'price', 'key'],
    titles: () => [],
    bytes: (lines, titles) => Buffer.from(joined(lines, titles, '|', '\n')),
    settings: { delimiter: '|', keyColumn: 4, offerColumn: 1, skipLines: 0 },
  },
  {
    name: 'tabs without titles',
    extension: 'tsv',
    order: ['key', 'offer', 'count', 'region', 'price'],
    titles: () => [],
    bytes: (lines, titles) => Buffer.from(joined(lines, titles, '\t', '\n')),
    settings: { delimiter: '\t', keyColumn: 0, offerColumn: 1, skipLines: 0 },
  },
]

const letters = 'ABCDEFGHJKLM'

/** One file of a supplier: a language, a layout, and rows of every outcome. */
function fileOf(of: Language, at: number, layout: Layout, index: number): CorpusCase {
  const batch = `${letters[at] ?? 'A'}${letters[index] ?? 'A'}XYZ`
  const rows = deliveryOf(batch)
  const titles = layout.titles(of.title)
  const header = layout.order.map((column) => of[column])
  const prices = ['12,50', '7.25', '31.00']
  const lines = rows.map(({ offer, cell }, row) => {
    const decimal = prices[row % prices.length] ?? ''
    // Without quotes, a comma in a price would be a delimiter.
    const price = layout.settings?.delimiter === ',' ? decimal.replace(',', '.') : decimal
    const cells = { key: cell, offer, region: row % 2 === 0 ? 'EU' : 'Global', price, count: '1' }
    return layout.order.map((column) => cells[column])
  })
  const first = titles.length + 2
  return one(
    `${of.name}: ${layout.name}`,
    `delivery-${of.name}.${layout.extension}`,
    layout.bytes([header, ...lines], titles, of),
    rows.map(({ outcome, text }, row) => `${first + row} ${outcome} | ${text}`),
    {
      offerId: null,
      settings: { form: 'table', header: true, ...layout.settings },
    },
  )
}

/** Deliveries as suppliers of twelve languages send them, in seven layouts. */
export const suppliers: readonly CorpusCase[] = languages.flatMap((of, at) =>
  layouts.map((layout, index) => fileOf(of, at, layout, index)),
)
