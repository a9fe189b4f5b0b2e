/*
 * A console's core as a separate process, to be killed: reads one line of JSON, connects the
 * missing accounts, and either simulates a busy day until it is killed, or finishes its open work
 * and reports how its data differs from the service's.
 */
import { createRouterClient } from '@orpc/server'
import { seeded } from '../../../e2e/support/seeded.ts'
import { createCore } from '../../../src/core/create-core.ts'
import type { DemoBackend } from '../../../src/core/mirror/testing/backend.ts'
import { createReporter, pause, runSoakConsole, soakHost } from '../support/soak-console.ts'
import type { ConsoleFolder } from '../support/soak-console.ts'
import { agreementOf } from './agreement.ts'
import { downloadAllKeys, simulateDay } from './day.ts'
import type { Ask, PersonAction, SoakAccounts } from './day.ts'
import { readService } from './truth.ts'

export type ConsoleOptions = ConsoleFolder & {
  /** The service address of the accounts. */
  baseUrl: string
  backend: Pick<DemoBackend, 'baseUrl' | 'sellerUrl' | 'demo'>
  /** Simulates a day with this seed until it is killed; null: finishes and reports. */
  day: { seed: number; name: string; firstPrice: number } | null
  /** Orders requested in this console so far. */
  references: string[]
}
export type Said =
  | { accounts: SoakAccounts }
  | { syncing: boolean }
  | PersonAction
  | { rest: Awaited<ReturnType<typeof agreementOf>> }

const WATCH_EVERY_MS = 20
const AGREED_WITHIN_MS = 60_000

const say = createReporter<Said>()

async function watchSync(ask: Ask, accountIds: readonly string[]): Promise<never> {
  for (let before = false; ; await pause(WATCH_EVERY_MS)) {
    const states = await Promise.all(
      accountIds.map((accountId) => ask.catalogue.sync({ accountId })),
    )
    const syncing = states.some(({ state }) => state === 'running')
    if (syncing !== before) say({ syncing })
    before = syncing
  }
}

async function main({
  dataDir,
  keychainFile,
  baseUrl,
  backend,
  day,
  references,
}: ConsoleOptions): Promise<void> {
  const core = await createCore(soakHost({ dataDir, keychainFile }), { rates: null })
  const ask = createRouterClient(core.router, { context: {} })
  const account = async (role: 'partner' | 'seller', key: string): Promise<string> =>
    (await ask.accounts.list()).find((each) => each.role === role)?.id ??
    (await ask.accounts.connect({ key, baseUrl, name: role, keep: 'keychain' })).id
  const accounts: SoakAccounts = {
    ask,
    partner: await account('partner', backend.demo.partnerLiveKey),
    seller: await account('seller', backend.demo.sellerKey),
  }
  say({ accounts: { ...accounts } })
  if (day === null) {
    say({
      rest: await agreementOf({
        ...accounts,
        dataDir,
        served: readService(backend as DemoBackend),
        references: new Set(references),
        withinMs: AGREED_WITHIN_MS,
      }),
    })
    return core.close()
  }
  let cents = day.firstPrice
  const lively = simulateDay({
    ...accounts,
    below: seeded(day.seed),
    name: day.name,
    nextPrice: () => (cents += 1),
    note: say,
  })
  await Promise.all([
    watchSync(ask, [accounts.partner, accounts.seller]),
    (async () => {
      for (;;) {
        await lively.changePrice()
        await lively.deed()
      }
    })(),
    (async () => {
      for (;;) {
        await lively.order()
        await downloadAllKeys(accounts)
      }
    })(),
  ])
}

runSoakConsole(main)
