import { cents } from '../../../server/api/money.ts'
import { createRedactor } from '../../../src/core/activity/activity.ts'
import { findKeys, maskKeys } from '../../../src/core/disputes/detail/keys-in-texts.ts'
import { languageOf, reasonOf } from '../../../src/core/disputes/sync/reasons.ts'
import { detectForm } from '../../../src/core/key-import/parse/detect/detect.ts'
import { classifyKey } from '../../../src/core/key-import/parse/text/classify-key.ts'
import { isConfusable } from '../../../src/core/key-import/parse/text/confusable.ts'
import { readCost, readSupplier } from '../../../src/core/key-import/parse/text/purchase-cell.ts'
import { createRecordReader, fieldsOf } from '../../../src/core/key-import/parse/text/records.ts'
import { suspect } from '../../../src/core/key-import/parse/text/suspicious.ts'
import { lookOf, numberText } from '../../../src/core/key-import/parse/workbook/number-text.ts'
import { decodeEscapes } from '../../../src/core/key-import/parse/workbook/parts.ts'
import { attribute, createXmlReader } from '../../../src/core/key-import/parse/workbook/xml.ts'
import { maskKey } from '../../../src/core/mask-key.ts'
import { wordsOf } from '../../../src/core/mirror/words/fold.ts'
import { parseOrderTable } from '../../../src/core/orders/bulk/order-table.ts'
import { formOf } from '../../../src/core/orders/keys/key-forms.ts'
import { maskValue } from '../../../src/core/orders/keys/masking.ts'
import { envelopeOf, readPasted } from '../../../src/core/webhook-inspector/verify.ts'

/** Something that reads a text of other people. It may reject the text. */
export type Recognizer = { name: string; read: (text: string) => unknown }

/** Pieces of the XML of a workbook arrive as they are decompressed, of any length. */
const XML_PIECE = 256

function readXml(text: string): void {
  const reader = createXmlReader({ open: () => {}, close: () => {}, text: () => {} })
  for (let at = 0; at < text.length; at += XML_PIECE) reader.push(text.slice(at, at + XML_PIECE))
  reader.end()
}

function readRecords(text: string): void {
  const reader = createRecordReader(',', () => {})
  let line = 0
  for (const each of text.split('\n')) reader.push({ line: (line += 1), text: each } as never)
  reader.end()
}

const orderTable = {
  product: () => null,
  lastPaid: () => null,
  proposedMax: () => cents(0),
  isUsed: () => false,
  nextReference: () => 'R-1',
}

/** Everything that recognizes something in text from files, customers, partners or the service. */
const recognizers: readonly Recognizer[] = [
  { name: 'login and password', read: (text) => formOf(text, 'text/plain', 'account') },
  { name: 'link', read: (text) => formOf(text, 'text/plain', 'link') },
  { name: 'masked value', read: (text) => maskValue(text, 'text/plain') },
  { name: 'masked key', read: maskKey },
  { name: 'key', read: classifyKey },
  { name: 'suspicious key', read: suspect },
  { name: 'confusable characters', read: isConfusable },
  { name: 'cost', read: (text) => readCost(text, 'EUR') },
  { name: 'supplier', read: readSupplier },
  { name: 'fields of a line', read: (text) => fieldsOf(text, ';') },
  { name: 'records of a table', read: readRecords },
  { name: 'form of a file', read: (text) => detectForm([text], 'a.csv', () => false, {}) },
  {
    name: 'form of a file of many lines',
    read: (text) => detectForm(text.split('\n').slice(0, 100), 'a.csv', () => false, {}),
  },
  { name: 'XML of a workbook', read: readXml },
  { name: 'attribute of a tag', read: (text) => attribute(text, 'r') },
  { name: 'escapes of a workbook', read: decodeEscapes },
  { name: 'number format', read: (text) => lookOf(200, text) },
  { name: 'number of a cell', read: (text) => numberText(text, { zeros: 4 }, false) },
  { name: 'table of orders', read: (text) => parseOrderTable(text, orderTable) },
  { name: 'pasted webhook', read: readPasted },
  { name: 'body of a webhook', read: (text) => envelopeOf(Buffer.from(text)) },
  { name: 'reason of a dispute', read: reasonOf },
  { name: 'language of a dispute', read: languageOf },
  { name: 'keys in a message', read: (text) => findKeys([text]) },
  { name: 'masked keys in a message', read: maskKeys },
  { name: 'words of a query', read: wordsOf },
  { name: 'redacted error', read: (text) => createRedactor().clean(text) },
]

/** What long texts are made of: each alone, and before a character that doesn't fit. */
const units: readonly string[] = [
  ...' \n\t"\'()[]{}<&;:,=|/\\.@-_#%$*+?^~0A\u00e9\u00a0\u0301\u200b\u2028',
  '\r\n',
  ' \n',
  '""',
  '",',
  ': ',
  'a:',
  'a b ',
  'user: ',
  'login ',
  'password: \n',
  '<a ',
  '<a r="',
  '<!--',
  '&amp;',
  '_x0041_',
  'ABCDE-',
  '1,2.',
  'http://',
  'a@b.',
  '\ud83d\ude00',
  '\ud83d',
  '{"a":',
  '[[',
]
const wraps: readonly (readonly [string, string])[] = [
  ['', ''],
  ['x', 'x'],
  ['"', ''],
  ['login: a', '\u0000'],
]
/** Lengths in characters: each is twice the one before. */
const LENGTHS = [4096, 8192, 16_384, 32_768] as const
/** A linear reader takes four times as long for the last text as for the one two steps before. */
const MAX_GROWTH = 9
/** Times below this, in milliseconds of the processor, say nothing about growth. */
const LEAST_MS = 60
/** No text may take longer than this, in milliseconds of the processor. */
const MAX_MS = 1500

/** Milliseconds of the processor, whatever else the computer does. */
function processorMs({ read }: Recognizer, text: string): number {
  const before = process.cpuUsage()
  try {
    read(text)
  } catch {
    // Rejected: only the time counts.
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The growth of a reader's time over two doublings, when it is more than linear. */
function problemOf(recognizer: Recognizer, textOf: (length: number) => string): string | null {
  const times: number[] = []
  for (const length of LENGTHS) {
    const ms = processorMs(recognizer, textOf(length))
    times.push(ms)
    if (ms > MAX_MS) return `${Math.round(ms)} ms for ${length} characters`
  }
  const last = times.at(-1) ?? 0
  const before = Math.max(1, times.at(-3) ?? 0)
  if (last < LEAST_MS || last / before < MAX_GROWTH) return null
  // A collection of garbage in one of the two doesn't repeat.
  const again = processorMs(recognizer, textOf(LENGTHS[3]))
  return again < LEAST_MS || again / before < MAX_GROWTH
    ? null
    : `${Math.round(again)} ms for ${LENGTHS[3]} characters, ${Math.round(before)} ms for a quarter`
}

/**
 * Reads texts of doubling length by everything that recognizes something in foreign text. Time that
 * grows faster than the text is a problem: such a text can stop Keydesk.
 */
export function fuzzTexts(
  found: (what: string, problem: string) => void,
  readers: readonly Recognizer[] = recognizers,
): number {
  let texts = 0
  for (const recognizer of readers)
    for (const unit of units)
      for (const [start, end] of wraps) {
        texts += LENGTHS.length
        const problem = problemOf(
          recognizer,
          (length) => start + unit.repeat(length / unit.length) + end,
        )
        if (problem !== null)
          found(
            `${recognizer.name} of ${JSON.stringify(start + unit)}…${JSON.stringify(end)}`,
            problem,
          )
      }
  return texts
}
