import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const filesOf = (folder: string): { name: string; text: string }[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))

const screens = filesOf('src/renderer/features').filter(({ name }) => name.endsWith('.tsx'))

/** What is shown in a cell of names that are no products, or whose record has no edition. */
const otherNames: Readonly<Record<string, string>> = {
  'sandbox/accounts/accounts-view.tsx': 'an account',
  'sandbox/claims/claims-view.tsx': 'a claim as the service’s support sees it',
  'claims/claims-page.tsx': 'a claim on one key, which is shown masked',
  'batches/columns.tsx': 'a batch',
  'catalogue/columns.tsx': 'a product whose region is a column that can’t be hidden',
  'activity/columns.tsx': 'an event',
  'outbox/results/results-dialog.tsx': 'a queued change, whose subtitle has the edition',
}

test('shows platform and region wherever a table shows the name of a product', () => {
  const cells = screens.flatMap(({ name, text }) =>
    [...text.matchAll(/<NameCell\b[\s\S]*?\/>/g)].map(([cell]) => ({ name, cell })),
  )
  expect(cells.length).toBeGreaterThan(15)
  const bare = cells
    .filter(({ name, cell }) => !(name in otherNames) && /name=\{[\w.]*[nN]ame\}/.test(cell))
    .filter(({ cell }) => !/variantLabel|deliveryLabel|[rR]egion|detail=\{detail\}/.test(cell))
  expect(bare).toEqual([])
})

/** Dialogs that name a product and act on it. */
const acting = new RegExp(
  String.raw`<(?:Confirm|PlainExport)?Dialog\b[\s\S]*?(?:title|what|lead)=\{[^\n]*\$\{[^}]*` +
    String.raw`\b(?:offer|product|plan|detail|lowest|sale)\w*\.(?:name|offerName)\b`,
)

test('names the edition in every dialog that acts on one product', () => {
  const dialogs = screens.filter(({ text }) => acting.test(text))
  expect(dialogs.length).toBeGreaterThan(4)
  const bare = dialogs.filter(
    ({ text }) => !/variantLabel|deliveryLabel|productLine|\.platform\b/.test(text),
  )
  expect(bare.map(({ name }) => name)).toEqual([])
})

/** Files whose lines name a record with its edition in another way. */
const otherFiles: Readonly<Record<string, string>> = {
  'renderer/features/disputes/report/report-csv.ts': 'one number per product and reason',
}

test('has platform and region beside the name of a product in every CSV file', () => {
  const files = filesOf('src').filter(
    ({ name, text }) =>
      /\bcsvText\(/.test(text) &&
      /(?:'Product'|'Offer'|\bProduct:)/.test(text) &&
      !(name in otherFiles),
  )
  expect(files.length).toBeGreaterThan(7)
  const bare = files.filter(
    ({ text }) => !/(?:'Platform'|\bPlatform:)[\s\S]{0,120}(?:'Region'|\bRegion:)/.test(text),
  )
  expect(bare.map(({ name }) => name)).toEqual([])
})
