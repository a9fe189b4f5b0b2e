import { afterEach, expect, it } from 'vitest'
import type { Account } from '../../contract/app/accounts.ts'
import type { CoreContext } from '../context.ts'
import { startTestBackend } from '../testing/backend.ts'
import { createTestContext } from '../testing/context.ts'
import type { TestContext } from '../testing/context.ts'
import { createAccountScopes } from './account-scopes.ts'
import { defineFeature, listFeatures } from './feature.ts'
import { createScope } from './scope.ts'

let disposals: (() => unknown)[] = []
afterEach(async () => {
  for (const dispose of disposals.toReversed()) await dispose()
  disposals = []
})
async function core(): Promise<TestContext> {
  const test = await createTestContext()
  disposals.push(() => test.dispose())
  return test
}

const prices = defineFeature({
  name: 'prices',
  schemas: [],
  start: () => ({ of: () => 5 }),
  facts: (api, account: Account) => ({
    counts: { offers: account.role === 'seller' ? api.of() : 0 },
  }),
})
const rules = defineFeature({
  name: 'rules',
  schemas: [],
  start: (_context, needs: { prices: { of(): number } }) => ({
    floor: () => needs.prices.of() - 1,
  }),
})

it('hands each feature the features that it needs, which the compiler checks', async () => {
  const { context } = await core()
  const started = listFeatures().add(prices).add(rules).start(context, {})
  expect(started.apis.rules.floor()).toBe(4)
  // @ts-expect-error rules need prices, which were not started
  const missing = (): unknown => listFeatures().add(rules).start(context, {})
  expect(missing).toBeTypeOf('function')
})

it('starts each feature with the members of the context that it declares, which the compiler checks', async () => {
  const { context } = await core()
  const dated = defineFeature({
    name: 'dated',
    schemas: [],
    start: ({ clock }: Pick<CoreContext, 'clock'>) => ({ now: () => clock.now() }),
  })
  const started = listFeatures()
    .add(dated)
    .start({ ...context, clock: { ...context.clock, now: () => 7 } }, {})
  expect(started.apis.dated.now()).toBe(7)
  const printing = defineFeature({
    name: 'printing',
    schemas: [],
    start: ({ printer }: { printer: { print(): void } }) => ({ print: () => printer.print() }),
  })
  // @ts-expect-error the core's context has no printer
  const missing = (): unknown => listFeatures().add(printing)
  expect(missing).toBeTypeOf('function')
})

it('collects the facts of all features about an account', async () => {
  const { context } = await core()
  const started = listFeatures().add(prices).add(rules).start(context, {})
  expect(started.facts({ role: 'seller' } as Account)).toEqual([{ counts: { offers: 5 } }])
})

it('ends dependents before the features that they need, after all of them were told to stop', async () => {
  const { context } = await core()
  const events: string[] = []
  const logged = (name: 'base' | 'dependent') =>
    defineFeature({
      name,
      schemas: [],
      start(_context, _needs: unknown, scope) {
        scope.signal.addEventListener('abort', () => events.push(`${name} aborted`))
        scope.onEnd(() => void events.push(`${name} ended`))
        void scope.spawn(
          new Promise<void>((resolve) => {
            scope.signal.addEventListener('abort', () => setImmediate(resolve))
          }),
        )
        return {}
      },
    })
  const started = listFeatures().add(logged('base')).add(logged('dependent')).start(context, {})
  await started.end()
  expect(events).toEqual(['dependent aborted', 'base aborted', 'dependent ended', 'base ended'])
})

it('opens an account once, starts its work with an accepted key, ends it before its files close @long', async () => {
  const test = await core()
  const backend = await startTestBackend()
  disposals.push(() => backend.stop())
  const events: string[] = []
  const scope = createScope({ clock: test.context.clock, report: () => {} })
  disposals.push(() => scope.end())
  const accounts = createAccountScopes(test.context, scope, {
    role: 'partner',
    otherRole: ['A seller account has no orders.', 'Choose a partner account.'],
    open(files) {
      events.push('opened')
      const database = test.context.mirrors.database(files.accountId)
      files.onEnd(() => void events.push(database.open ? 'ended, files open' : 'ended too late'))
      return { database }
    },
    start(_state, work) {
      events.push('started')
      work.onEnd(() => void events.push('stopped'))
    },
  })
  const partner = await test.connect(
    backend.ready.demo?.partnerLiveKey ?? '',
    backend.ready.baseUrl,
  )
  const seller = await test.connect(backend.ready.demo?.sellerKey ?? '', backend.ready.baseUrl)
  expect(accounts.of(partner.id)).toBe(accounts.of(partner.id))
  expect(accounts.awake()).toHaveLength(1)
  expect(events).toEqual(['opened', 'started'])
  expect(() => accounts.of(seller.id)).toThrow('A seller account has no orders.')
  await test.accounts.remove(partner.id, null)
  expect(events).toEqual(['opened', 'started', 'stopped', 'ended, files open'])
  expect(() => accounts.of(partner.id)).toThrow('Account not found')
})
