import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = 'src/renderer'
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.tsx') && !name.startsWith('ui/'))
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))

/**
 * How a dialog stays as it was read until its button is pressed:
 *
 * - `plan`, `frozen`: it holds on to what it showed first, and shows and asks again when that changes;
 * - `reread`: it reads again when the button is pressed, and does nothing if anything differs;
 * - `static`: what it read never changes while it is open;
 * - `snapshot`: its owner hands it records as they were when it opened, and the core rejects others;
 * - `own`: it sends only what the person types or chooses in it;
 * - `shows`: it has no button that changes or saves anything.
 */
const ways = {
  plan: /\buseSeenPlan\(/,
  frozen: /\buseFrozen\b/,
  reread: /\buseOrderTable\(/,
  static: /staleTime: 'static'/,
  snapshot: /\buseState\(rows\)|\bapplied\b|\bentries\b|\bkeys: readonly\b/,
  own: /\bset[A-Z]\w*\b|\bask\b/,
  shows: /./,
} as const

/** Every dialog that isn't a confirmation. Those stay as read by their own component. */
const dialogs: Readonly<Record<string, keyof typeof ways>> = {
  'app/accounts/rekey-dialog.tsx': 'own',
  'app/settings/backup/diagnostics-dialog.tsx': 'static',
  'app/settings/network/proxy-dialog.tsx': 'own',
  'app/settings/secrets/opened-export.tsx': 'shows',
  'app/settings/secrets/secret-dialog.tsx': 'own',
  'app/shortcuts/shortcut-sheet.tsx': 'shows',
  'app/undo/undo-history-dialog.tsx': 'shows',
  'app/vault/keychain-dialog.tsx': 'own',
  'app/vault/passphrase-dialog.tsx': 'own',
  'app/vault/proof-dialog.tsx': 'own',
  'features/catalogue/product-texts.tsx': 'shows',
  'features/disputes/bulk/bulk-dialog.tsx': 'snapshot',
  'features/disputes/bulk/bulk-results.tsx': 'shows',
  'features/disputes/composer/language-dialog.tsx': 'shows',
  'features/disputes/conversation/attachment.tsx': 'shows',
  'features/disputes/inbox/save-view-dialog.tsx': 'own',
  'features/disputes/snooze-dialog.tsx': 'own',
  'features/disputes/templates/template-dialog.tsx': 'own',
  'features/disputes/templates/template-editor.tsx': 'own',
  'features/key-import/check/file-profile.tsx': 'own',
  'features/key-import/check/missing-offers.tsx': 'static',
  'features/offers/bulk/bulk-dialog.tsx': 'plan',
  'features/offers/bulk/bulk-menu.tsx': 'own',
  'features/offers/bulk/costs-from-table.tsx': 'static',
  'features/offers/bulk/create-offers.tsx': 'plan',
  'features/offers/bulk/results-dialog.tsx': 'shows',
  'features/offers/panel/withdrawals.tsx': 'shows',
  'features/offers/price/new-offer-dialog.tsx': 'frozen',
  'features/offers/price/price-dialog.tsx': 'frozen',
  'features/orders/bulk/table-dialog.tsx': 'reread',
  'features/orders/keys/handed-over.tsx': 'snapshot',
  'features/orders/keys/key-row.tsx': 'shows',
  'features/outbox/results/results-dialog.tsx': 'snapshot',
  'features/price-watch/market/apply-results.tsx': 'snapshot',
  'features/sandbox/accounts/new-account-dialog.tsx': 'own',
  'features/sandbox/accounts/new-key-dialog.tsx': 'own',
  'features/sandbox/claims/new-claim-dialog.tsx': 'own',
  'features/sandbox/connection-dialog.tsx': 'shows',
  'features/sandbox/control/endpoint-dialog.tsx': 'own',
  'features/sandbox/control/fault-dialog.tsx': 'own',
  'features/sandbox/control/faults-json.tsx': 'own',
  'features/sandbox/worlds/snapshots-dialog.tsx': 'own',
  'features/webhook-inspector/paste-dialog.tsx': 'own',
}

/** Labels of buttons that pay, delete, export, refund, replace, withdraw, change prices or send. */
const acting = new RegExp(
  String.raw`<Button\b[^>]*kind=(?:"(?:primary|final)"|\{[^}]*\})[\s\S]*?>\s*(?:\{\x60?)?(?:` +
    String.raw`Pay|Place|Delete|Export|Withdraw|Refund|Replace|Send|Offer|Create|Change|Apply)\b`,
)

test('says of every dialog how it stays as it was read', () => {
  const found = sources.filter(({ text }) => /<Dialog\b/.test(text)).map(({ name }) => name)
  expect(found.toSorted()).toEqual(Object.keys(dialogs).toSorted())
})

test.each(Object.entries(dialogs))('%s stays as it was read: %s', (name, way) => {
  const { text } = sources.find((each) => each.name === name) ?? { text: '' }
  expect(text).toMatch(ways[way])
  if (way === 'shows') expect(text).not.toMatch(acting)
})

test('reads nothing a second time that a dialog holds as read', () => {
  // An invalidation also reads data again whose stale time is infinite; only `static` data stays.
  const read = sources.filter(
    ({ text }) => /<Dialog\b/.test(text) && /staleTime: (?:Infinity|Number\.POS)/.test(text),
  )
  expect(read.map(({ name }) => name)).toEqual(['features/disputes/conversation/attachment.tsx'])
})

test('lets no confirmation follow what changes, except the one that stops an upload', () => {
  const follows = sources.filter(({ text }) => /<ConfirmDialog\b[^<]*?\n\s+follows\b/.test(text))
  expect(sources.filter(({ text }) => /<ConfirmDialog\b/.test(text)).length).toBeGreaterThan(20)
  expect(follows.map(({ name }) => name)).toEqual(['features/key-import/upload/upload-step.tsx'])
})
