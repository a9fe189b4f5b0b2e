import { expect, test } from 'vitest'
import { components, sourcesIn } from './sources.ts'

const screens = components
  .filter(({ name }) => name.startsWith('features/'))
  .map(({ name, text }) => ({ name: name.slice('features/'.length), text }))

/** What is shown in a cell of names that are no products, or whose record has no edition. */
const otherNames: Readonly<Record<string, string>> = {
  'sandbox/accounts/accounts-view.tsx': 'an account',
  'sandbox/claims/claims-view.tsx': 'a claim as the service’s support sees it',
  'catalogue/columns.tsx':
    'a product whose region is a column that can’t be hidden, and whose delivery type follows the platform',
  'activity/columns.tsx': 'an event',
  'outbox/results/results-dialog.tsx': 'a queued change, whose subtitle has the edition',
}

test('shows platform, region and delivery type wherever a table shows the name of a product', () => {
  const cells = screens.flatMap(({ name, text }) =>
    [...text.matchAll(/<NameCell\b[\s\S]*?\/>/g)].map(([cell]) => ({ name, cell })),
  )
  expect(cells.length).toBeGreaterThan(15)
  const bare = cells
    .filter(({ name, cell }) => !(name in otherNames) && /name=\{[\w.]*[nN]ame\}/.test(cell))
    // A batch, which is named by a person.
    .filter(({ cell }) => !cell.includes('name={batch.name}'))
    .filter(({ cell }) => !/variantLabel|detail=\{detail\}/.test(cell))
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
  const bare = dialogs.filter(({ text }) => !/variantLabel|productLine|\.platform\b/.test(text))
  expect(bare.map(({ name }) => name)).toEqual([])
})

/** Files that show platform and region in another way than {@link variantLabel}. */
const otherVariants: Readonly<Record<string, string>> = {
  'catalogue/product-panel.tsx': 'with the type of the product',
  'sandbox/products/product-panel.tsx': 'a form',
}

test('names an edition by one function, which has its delivery type', () => {
  const glued = screens
    .filter(({ name }) => !(name in otherVariants))
    .filter(({ text }) =>
      /\.platform(?:\} · \$?\{[\w.]+\.region\b|,\s+[\w.]+\.region\b)/.test(text),
    )
  expect(glued.map(({ name }) => name)).toEqual([])
  const core = sourcesIn('src/core').filter(({ text }) => /\.platform, \w+\.region\]/.test(text))
  // A message for the customer, which names the product beside each unit.
  expect(core.map(({ name }) => name)).toEqual(['orders/keys/key-forms.ts'])
})

test('knows the delivery type wherever it knows the region of a product', () => {
  const records = sourcesIn('src/contract').flatMap(({ name, text }) =>
    [...text.matchAll(/\bregion: z\.string\(\)(?:\.nullable\(\))?,?\s*(?<next>\S*)/g)].map(
      ({ groups }) => `${name}: ${groups?.['next'] ?? ''}`,
    ),
  )
  expect(records.length).toBeGreaterThan(20)
  // The type of the product can be in between.
  expect(records.filter((record) => !/: (?:delivery|product)Type:$/.test(record))).toEqual([])
})

/** Files whose lines name a record with its edition in another way. */
const otherFiles: Readonly<Record<string, string>> = {
  'renderer/features/disputes/report/report-csv.ts': 'one number per product and reason',
}

test('has platform, region and delivery type beside the name of a product in every CSV file', () => {
  const files = sourcesIn('src').filter(
    ({ name, text }) =>
      /\bcsvText\(/.test(text) &&
      /(?:'Product'|'Offer'|\bProduct:|'(?:product|name)',\n\s*'platform')/.test(text) &&
      !(name in otherFiles),
  )
  expect(files.length).toBeGreaterThan(7)
  const bare = files.filter(
    ({ text }) =>
      !/\bplatform['":][\s\S]{0,120}\bregion['":][\s\S]{0,120}\bdelivery['":]/i.test(text),
  )
  expect(bare.map(({ name }) => name)).toEqual([])
})
