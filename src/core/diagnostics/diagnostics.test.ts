import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startTestBackend } from '../testing/backend.ts'
import { temporaryFolder } from '../testing/context.ts'
import { startTestCore } from '../testing/core.ts'

it('a bundle contains versions, settings, running jobs and activity, but neither keys nor names @long', async () => {
  const backend = await startTestBackend({ products: 20, noLimits: true })
  const folder = temporaryFolder()
  const harness = await startTestCore(folder.path)
  const key = backend.ready.demo?.sellerKey ?? ''
  await harness.ask.accounts.connect({
    key,
    baseUrl: backend.ready.baseUrl,
    name: 'Kestrel Secret Name',
  })
  appendFileSync(
    join(folder.path, 'logs', 'keydesk.log'),
    `2026-01-01 offers: refused svc_live_notmasked0123 and ${key}\n`,
  )
  const { fileName, text } = await harness.ask.diagnostics.make()
  expect(fileName).toMatch(/^keydesk-diagnostics-\d{4}-\d\d-\d\d\.json$/)
  const bundle = JSON.parse(text) as Record<string, unknown>
  expect(Object.keys(bundle)).toEqual([
    'madeAt',
    'keydesk',
    'host',
    'machine',
    'keychain',
    'vault',
    'settings',
    'accounts',
    'jobs',
    'activity',
    'log',
  ])
  expect(bundle).toMatchObject({
    keydesk: '0.0.0-test',
    settings: { theme: 'system', currentAccount: null },
    accounts: [{ account: 'account 1', role: 'seller', tables: { sales: 3 } }],
  })
  expect(text).toMatch(/"what": "GET \//)
  expect(text).toContain('refused svc_live_')
  for (const secret of [key, 'notmasked0123', 'Kestrel Secret Name'])
    expect(text).not.toContain(secret)
  const [account] = await harness.ask.accounts.list()
  await harness.ask.accounts.remove({ accountId: account?.id ?? '' })
  const after = (await harness.ask.diagnostics.make()).text
  expect(after).toContain('"account": "removed account"')
  expect(after).toContain('"what": "Account removed"')
  expect(after).not.toContain('Kestrel Secret Name')
  await harness.close()
  await backend.stop()
  folder.remove()
}, 30_000)
