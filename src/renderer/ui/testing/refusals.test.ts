import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = 'src/renderer'
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|^ui\/testing/.test(name))
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))

/** The notices that show a problem, each with the text of its element. */
const problemNotices = sources.flatMap(({ name, text }) =>
  [...text.matchAll(/<Notice\b(?:[^<>]*\/>|[\s\S]*?<\/Notice>)/g)]
    .map(([element]) => element)
    .filter((element) => /title=\{[^}]*\.what\b/.test(element))
    .map((element) => ({ name, element })),
)

test('shows the effect and the next step of every problem in a notice', () => {
  // Without a match, the pattern no longer reads the sources.
  expect(problemNotices.length).toBeGreaterThan(5)
  const silent = problemNotices.filter(
    ({ element }) => !/\.effect\b/.test(element) || !/\.next\b/.test(element),
  )
  // Its facts are the effect, and its three choices the next step.
  expect(silent.map(({ name }) => name)).toEqual(['features/key-import/upload/in-doubt.tsx'])
})

/** What the toasts without a record are about. */
const withoutRecord: Readonly<Record<string, string>> = {
  'app/accounts/account-bar.tsx': 'the sandbox',
  'app/palette/use-actions.ts': 'an action on the page',
  'app/recovery/read-only-bar.tsx': 'Keydesk',
  'app/settings/backup/backup-section.tsx': 'the settings',
  'app/settings/backup/restore-dialog.tsx': 'the settings',
  'app/settings/network/network-section.tsx': 'the settings',
  'app/settings/network/restored-settings.tsx': 'the settings',
  'app/settings/sandbox-section.tsx': 'the settings',
  'app/settings/secrets/opened-export.tsx': 'the settings',
  'app/settings/secrets/secrets-page.tsx': 'the settings',
  'app/settings/secrets/vault-section.tsx': 'the settings',
  'app/settings/security/second-proof-section.tsx': 'the settings',
  'app/settings/security/security-page.tsx': 'the settings',
  'app/settings/sessions-section.tsx': 'the settings',
  'app/settings/updates/use-updates.ts': 'the settings',
  'app/shell/jobs-popover.tsx': 'the vault',
  'app/use-app-state.ts': 'the settings',
  'app/use-saved-tables.ts': 'the settings',
  'app/vault/generated-words.tsx': 'the vault',
  'app/vault/vault-watch.tsx': 'the vault',
  'features/activity/use-activity.ts': 'a list',
  'features/disputes/bulk/use-dispute-selection.ts': 'a list',
  'features/disputes/inbox/inbox.tsx': 'the sandbox',
  'features/key-history/key-history-page.tsx': 'the vault',
  'features/key-history/use-withdraw-batch.tsx': 'the vault',
  'features/key-import/check/check-step.tsx': 'the vault',
  'features/key-import/issues.tsx': 'the open import',
  'features/key-import/report/report-step.tsx': 'the open import',
  'features/key-import/report/undo-import.tsx': 'the vault',
  'features/key-import/report/undo-results.tsx': 'the open import',
  'features/key-import/start/start-step.tsx': 'a new import',
  'features/key-import/upload/in-doubt.tsx': 'the vault',
  'features/key-import/upload/upload-step.tsx': 'the vault',
  'features/offers/costs/costs-from-table.tsx': 'a table',
  'features/offers/list/more-menu.tsx': 'a list',
  'features/orders/bulk/bulk-results-page.tsx': 'the open bulk order',
  'features/orders/bulk/use-order-table.ts': 'a table',
  'features/orders/keys/download-keys.tsx': 'the vault',
  'features/orders/keys/key-selection.tsx': 'a list',
  'features/orders/list/use-order-list.ts': 'a list',
  'features/outbox/discard-entries.ts': 'a list',
  'features/outbox/use-outbox.ts': 'a list',
  'features/price-watch/decisions/decisions-view.tsx': 'a list',
  'features/price-watch/market/use-chosen-proposals.ts': 'a list',
  'features/price-watch/simulation/simulation-view.tsx': 'a simulation',
  'features/price-watch/status/stop-all.tsx': 'all prices',
  'features/sales/list/sales-header.tsx': 'a list',
  'features/sandbox/sandbox-page.tsx': 'the sandbox',
  'features/sandbox/use-sandbox-action.ts': 'the sandbox',
  'features/spending/balance-page.tsx': 'the balance',
  'features/spending/balance-panel.tsx': 'the balance',
  'features/webhook-inspector/paste-dialog.tsx': 'the pasted request',
  'features/webhook-inspector/use-webhook-inspector.ts': 'the receiver',
  'ui/table/rows/use-checked-rows.ts': 'a list',
}

test('names the record of every problem in a toast, or says why it has none', () => {
  const unnamed = sources.filter(
    ({ name, text }) =>
      name !== 'ui/feedback/toasts.tsx' && /toastProblem\([^;]*?,\s*null,?\s*\)/.test(text),
  )
  expect(unnamed.map(({ name }) => name).toSorted()).toEqual(Object.keys(withoutRecord).toSorted())
})

test('shows no problem by what happened alone', () => {
  const alone = sources.filter(({ text }) =>
    /problemOf\([^)]*\)\.what\b(?![\s\S]{0,80}\.next\b)/.test(text),
  )
  expect(alone.map(({ name }) => name)).toEqual([])
})
