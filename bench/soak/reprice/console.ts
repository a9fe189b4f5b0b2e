/*
 * A console's core as a separate process, to be killed: reads one line of JSON, connects, has a
 * rule propose a price for every offer, approves them all, and finishes sending from its current
 * state. Reports its progress, one line of JSON each.
 */
import { call } from '@orpc/server'
import { cents, type Cents } from '../../../server/api/money.ts'
import { createCore } from '../../../src/core/create-core.ts'
import { newRuleDefaults } from '../../../src/contract/price-watch/price-rules.ts'
import { createReporter, pause, runSoakConsole, soakHost } from '../support/soak-console.ts'
import type { ConsoleFolder } from '../support/soak-console.ts'

export type ConsoleOptions = ConsoleFolder & {
  baseUrl: string
  key: string
  offers: number
  approve: boolean
}
export type Said =
  | { at: 'connected' | 'proposed' | 'sending' }
  | { proposed: string[]; applied: Record<string, number> }

const say = createReporter<Said>()

async function main({
  dataDir,
  keychainFile,
  baseUrl,
  key,
  offers: count,
  approve,
}: ConsoleOptions): Promise<void> {
  const core = await createCore(soakHost({ dataDir, keychainFile }), { rates: null })
  const { accounts, offers, priceWatch } = core.router
  const account =
    (await call(accounts.list, undefined))[0] ??
    (await call(accounts.connect, { key, baseUrl, name: 'Seller', keep: 'keychain' }))
  const accountId = account.id
  while ((await call(offers.list, { accountId })).total < count) await pause(20)
  say({ at: 'connected' })
  const rules = await call(priceWatch.rules, { accountId })
  const ruleId =
    rules[0]?.ruleId ??
    (
      await call(priceWatch.saveRule, {
        accountId,
        ruleId: null,
        rule: {
          ...newRuleDefaults,
          name: 'All',
          floor: { kind: 'receive', cents: cents(1) },
          coolDownMs: 0,
          changesADay: 200,
          mostPercent: 50,
          war: { changes: 100, withinMs: 3_600_000, holdMs: 3_600_000 },
        },
      })
    ).ruleId
  if (rules[0]?.mode !== 'propose')
    await call(priceWatch.setMode, { accountId, ruleId, mode: 'propose' })
  const proposals = async () => {
    const all: { offerId: string; targetCents: Cents }[] = []
    for (let offset = 0; ; offset += 500) {
      const page = await call(priceWatch.market, {
        accountId,
        tab: 'proposals',
        window: { offset, limit: 500 },
      })
      all.push(
        ...page.rows.flatMap(({ offerId, proposal }) =>
          proposal === null ? [] : [{ offerId, targetCents: proposal.targetCents }],
        ),
      )
      if (offset + 500 >= page.total) return all
    }
  }
  if (approve) {
    // Every offer is behind: the list may be older than the rival's last prices.
    await call(accounts.syncNow, { accountId })
    let found = await proposals()
    while (found.length < count) {
      await pause(50)
      found = await proposals()
    }
    say({ at: 'proposed' })
    await call(priceWatch.approve, { accountId, offers: found })
  }
  say({ at: 'sending' })
  while ((await call(priceWatch.switch, undefined)).sending > 0) await pause(20)
  const applied: Record<string, number> = {}
  for (let offset = 0; ; offset += 500) {
    const page = await call(priceWatch.decisions, {
      accountId,
      reasons: ['applied'],
      window: { offset, limit: 500 },
    })
    for (const { offerId, times } of page.rows) applied[offerId] = (applied[offerId] ?? 0) + times
    if (offset + 500 >= page.total) break
  }
  say({ proposed: (await proposals()).map(({ offerId }) => offerId), applied })
  await core.close()
}

runSoakConsole(main)
