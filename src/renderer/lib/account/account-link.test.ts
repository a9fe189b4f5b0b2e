import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Components that are also shown for another account than the window's current one. */
const ofAnyAccount = [
  'features/key-history/batch-alarm.tsx',
  'features/key-history/use-withdraw-batch.tsx',
  'features/today/attention.tsx',
  'features/today/open-list.tsx',
]

test.each(ofAnyAccount)('%s opens pages of its own account', (name) => {
  const text = readFileSync(`src/renderer/${name}`, 'utf8')
  // A path alone opens the page of the current account.
  expect(text).not.toMatch(/\buseLocation\b|<Link\b|<AccountLink\b/)
  expect(text).toMatch(/place: \{ accountId(?:: \w+\.id)?,|\buseOpenPlace\(/)
})
