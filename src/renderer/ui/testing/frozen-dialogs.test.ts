import { expect, test } from 'vitest'
import { type ButtonSource, buttonsOf, components, sourcesIn } from './sources.ts'

const sources = components.filter(({ name }) => !name.startsWith('ui/'))

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
  plan: /\buseConfirmedPlan\(/,
  frozen: /\buseFrozen\b/,
  reread: /\buseOrderTable\(/,
  static: /staleTime: 'static'/,
  snapshot: /\buseState\(rows\)|\[seen\] = useState\(|\bapplied\b|\bentries\b|\bkeys: readonly\b/,
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
  'features/disputes/snooze-dialog.tsx': 'snapshot',
  'features/disputes/templates/template-dialog.tsx': 'own',
  'features/disputes/templates/template-editor.tsx': 'own',
  'features/key-import/check/file-profile.tsx': 'own',
  'features/key-import/check/missing-offers.tsx': 'static',
  'features/offers/bulk/bulk-dialog.tsx': 'plan',
  'features/offers/costs/cost-dialog.tsx': 'own',
  'features/offers/costs/costs-from-table.tsx': 'static',
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
  if (way === 'shows') {
    expect(text).not.toMatch(acting)
    expect(text).not.toMatch(/<SubmitActions\b/)
  }
})

/**
 * Why a button outside dialogs can't act on data that the person hasn't read:
 *
 * - `frozen`: its values are held as they were read, and a change of them is shown and asks again;
 * - `basket`: the order holds the price at which each maximum was accepted;
 * - `own`: it sends only typed or chosen values, or starts something that costs nothing.
 */
const buttonWays = {
  frozen: /\buseFrozen\b/,
  basket: /\bblocked\b/,
  own: /./,
} as const

/** Every file with a main button that acts right away, outside dialogs. */
const buttons: Readonly<Record<string, keyof typeof buttonWays>> = {
  'app/first-run/connect-form.tsx': 'own',
  'app/recovery/recovery-page.tsx': 'own',
  'app/settings/accounts-section.tsx': 'own',
  'app/settings/updates/update-card.tsx': 'own',
  'app/shell/jobs-popover.tsx': 'own',
  'features/catalogue/product-actions.tsx': 'own',
  'features/claims/claim-outcome.tsx': 'own',
  'features/claims/claim-panel.tsx': 'own',
  'features/key-import/check/check-step.tsx': 'frozen',
  'features/offers/panel/offer-price.tsx': 'own',
  'features/offers/panel/offer-terms.tsx': 'own',
  'features/orders/composer/composer-rail.tsx': 'basket',
  'features/orders/composer/rejection-notice.tsx': 'basket',
  'features/outbox/entry/entry-choices.tsx': 'frozen',
  'features/outbox/list/columns.tsx': 'own',
  'features/outbox/send-bar.tsx': 'frozen',
  'features/price-watch/market/offer-panel.tsx': 'frozen',
  'features/price-watch/rules/rule-editor.tsx': 'own',
  'features/price-watch/simulation/simulation-view.tsx': 'own',
  'features/price-watch/status/stop-all.tsx': 'own',
  'features/sandbox/certificate/certificate-form.tsx': 'own',
  'features/sandbox/control/clock-card.tsx': 'own',
  'features/sandbox/products/product-panel.tsx': 'own',
  'features/sandbox/requests/why-panel.tsx': 'own',
  'features/sandbox/worlds/point-list.tsx': 'own',
  'features/sandbox/worlds/snapshot-list.tsx': 'own',
  'features/today/attention.tsx': 'own',
}

/** The file that holds the values of a button of another one. */
const owners: Readonly<Record<string, string>> = {
  'features/key-import/check/check-step.tsx': 'features/key-import/check/use-seen-totals.ts',
  'features/outbox/entry/entry-choices.tsx': 'features/outbox/entry/entry-panel.tsx',
  'features/outbox/send-bar.tsx': 'features/outbox/use-ready-entries.ts',
}

/** A main button whose press does something: it opens no page and no dialog. */
const actsNow = ({ props, label }: ButtonSource): boolean =>
  /\bkind=(?:"(?:primary|final|danger)"|\{)/.test(props) &&
  !/…[\s'"`}]*$/.test(label) &&
  !/^(?:View|Open|Show|Close|Find|New|Import|Try|Done|Reply)\b/.test(label)

test('says of every main button outside dialogs how it does only what was read', () => {
  const found = sources
    .filter(({ text }) => !/<Dialog\b/.test(text) && buttonsOf(text).some(actsNow))
    .map(({ name }) => name)
  expect(found.toSorted()).toEqual(Object.keys(buttons).toSorted())
})

test.each(Object.entries(buttons))('%s does only what was read: %s', (name, way) => {
  const textOf = (file: string): string =>
    sourcesIn('src/renderer').find((each) => each.name === file)?.text ?? ''
  const owner = owners[name] ?? name
  expect(textOf(owner)).toMatch(buttonWays[way])
  if (way !== 'frozen') return
  // Held values are of use only if the press depends on whether they moved.
  expect(`${textOf(name)}${textOf(owner)}`).toMatch(/&& moved === null\b|disabled=\{isMoved\}/)
})

test('submits with the shared buttons only in dialogs, which are listed above', () => {
  const outside = sources.filter(
    ({ text }) => /<SubmitActions\b/.test(text) && !/<Dialog\b/.test(text),
  )
  expect(outside.map(({ name }) => name)).toEqual([])
})

test('reads nothing a second time that a dialog holds as read', () => {
  // An invalidation also reads data again whose stale time is infinite; only `static` data stays.
  const read = sources.filter(
    ({ text }) => /<Dialog\b/.test(text) && /staleTime: (?:Infinity|Number\.POS)/.test(text),
  )
  expect(read.map(({ name }) => name)).toEqual(['features/disputes/conversation/attachment.tsx'])
})

/**
 * Confirmations whose press sends records that their own texts don't name one by one. Their records
 * are held too.
 */
const confirmedRecords = [
  'features/key-import/report/undo-import-dialog.tsx',
  'features/price-watch/market/apply-dialog.tsx',
]

test('plans the undo of a bulk change again only after the core rejected the shown plan', () => {
  const { text = '' } =
    sources.find(({ name }) => name === 'features/offers/bulk/undo-bulk-dialog.tsx') ?? {}
  expect(text).toMatch(/undoPreview\.queryOptions[^)]*\)[\s\S]*?staleTime: 'static',\s+gcTime: 0/)
  expect(text).toMatch(/catch \(error\)[\s\S]*?refetch\(\)[\s\S]*?throw error/)
})

test.each(confirmedRecords)('%s holds the records that it sends', (name) => {
  const { text } = sources.find((each) => each.name === name) ?? { text: '' }
  expect(text).toMatch(/\buseFrozen\b[\s\S]*incomplete=\{[^}]*\bmoved !== null\}/)
})

test('compares a price that the price guard asks about with the offer as it is now', () => {
  const { text } = sources.find(
    ({ name }) => name === 'features/offers/price/guard-dialog.tsx',
  ) ?? {
    text: '',
  }
  expect(text).toMatch(/useCurrentOffer\(asked\)[\s\S]*guardPrice\(offer,/)
  expect(text).toMatch(/onConfirm=\{async \(\) => answer\(fromCents\)\}/)
})

test('lets no confirmation follow what changes, except the one that stops an upload', () => {
  const follows = sources.filter(({ text }) => /<ConfirmDialog\b[^<]*?\n\s+follows\b/.test(text))
  expect(sources.filter(({ text }) => /<ConfirmDialog\b/.test(text)).length).toBeGreaterThan(20)
  expect(follows.map(({ name }) => name)).toEqual(['features/key-import/upload/upload-step.tsx'])
})
