import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cents } from '../../api/money.ts'
import type { Mode } from '../../api/schemas/enums.ts'
import { createTestRandom, dashboard, type TestService } from '../testing/fixture.ts'
import { openShop, type TestShop } from '../testing/shop.ts'
import { createLedger } from './ledger.ts'
import { createTopUps } from './top-ups.ts'

let test: TestService, shop: TestShop, partner: string
beforeEach(async () => {
  ;({ test, shop } = await openShop())
  partner = await shop.partner({ email: 'buyer@shop.example' }, 0)
})
afterEach(() => test.close())

const topUp = async (amount: number, reference?: string, mode: Mode = 'live', to = partner) => {
  const body = { mode, amount: cents(amount), ...(reference === undefined ? {} : { reference }) }
  return (await test.run('createTopUp', dashboard, { params: { id: to }, body })).body
}
const newReference = async (mode: Mode) =>
  (
    await test.run('createTopUpReference', dashboard, {
      params: { id: partner },
      body: { mode },
    })
  ).body.reference
const emails = async (of = partner) =>
  (await test.run('listPartnerEmails', dashboard, { params: { id: of } })).body.results
const reset = async (amount: number) =>
  (
    await test.run('resetTestBalance', dashboard, {
      params: { id: partner },
      body: { amount: cents(amount) },
    })
  ).body.balance

describe('a bank transfer', () => {
  it('is credited once under the reference that was issued for it', async () => {
    const reference = await newReference('live')
    expect(reference).toMatch(/^KD-[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$/)
    expect(await newReference('live')).not.toBe(reference)
    expect(await topUp(5000, reference)).toEqual({
      id: expect.stringMatching(/^led_\d{9}$/),
      reference,
      amount: 5000,
      balance: 5000,
    })
    await expect(topUp(5000, reference)).rejects.toMatchObject({ code: 'REFERENCE_USED' })
    expect(await shop.balance(partner)).toBe(5000)
    expect(await emails()).toHaveLength(1)
  })

  it('gets a new reference without one, and keeps an unknown one', async () => {
    const { reference } = await topUp(100)
    expect(reference).toMatch(/^KD-/)
    await expect(topUp(100, reference)).rejects.toMatchObject({ code: 'REFERENCE_USED' })
    expect(await topUp(100, 'OWN-TEXT')).toMatchObject({ reference: 'OWN-TEXT', balance: 200 })
    await expect(topUp(100, 'OWN-TEXT')).rejects.toMatchObject({ code: 'REFERENCE_USED' })
    expect(await shop.balance(partner)).toBe(200)
  })

  it('is rejected under the reference of another account or mode, which stays usable', async () => {
    const reference = await newReference('live')
    const rejected = {
      code: 'VALIDATION_ERROR',
      details: [{ field: 'reference', message: 'belongs to another account or mode' }],
    }
    const other = await shop.partner({}, 0)
    await expect(topUp(100, reference, 'live', other)).rejects.toMatchObject(rejected)
    await expect(topUp(100, reference, 'test')).rejects.toMatchObject(rejected)
    expect(await shop.balance(other)).toBe(0)
    expect(await topUp(100, reference)).toMatchObject({ balance: 100 })
  })

  it('is confirmed by an e-mail with its amount, reference and the new balance', async () => {
    await topUp(5000, 'FIRST')
    await topUp(1234, 'SECOND', 'test')
    expect(await emails()).toMatchObject([
      {
        to: 'buyer@shop.example',
        subject: 'Your balance was topped up by EUR 12.34',
        text: 'EUR 12.34 arrived with the reference SECOND. Your test balance is EUR 12.34.',
      },
      {
        subject: 'Your balance was topped up by EUR 50.00',
        text: 'EUR 50.00 arrived with the reference FIRST. Your live balance is EUR 50.00.',
      },
    ])
    const silent = await shop.partner({}, 0)
    await topUp(100, 'THIRD', 'live', silent)
    expect(await emails(silent)).toEqual([])
  })
})

describe('a reset of the test balance', () => {
  it('sets exactly this amount, upwards and downwards, and leaves live money alone', async () => {
    await topUp(700, 'LIVE')
    await topUp(100, 'TEST', 'test')
    for (const amount of [30, 5000, 0]) {
      expect(await reset(amount)).toBe(amount)
      expect(await shop.balance(partner, 'test')).toBe(amount)
    }
    expect(await shop.balance(partner)).toBe(700)
    expect(await shop.ledger()).toMatchObject({ ok: true, sums: { live: 0, test: 0 } })
  })
})

describe('the listeners of a top-up', () => {
  it('get the credit inside its transaction, and the e-mail after it, if there is one', () => {
    const { store } = test
    const events: unknown[] = []
    const context = { store, clock: test.service.clock, random: createTestRandom() } as never
    const topUps = createTopUps(context, createLedger(store), {
      credited: (credit, at) => void events.push(['credited', credit, at]),
      mailed: ({ to }) => void events.push(['mailed', to]),
    })
    const record = store.accounts.partner(partner)
    if (!record) throw new Error('no partner')
    const { id } = topUps.credit(record, 'live', cents(100), 'ONE', 5)
    const credit = { partnerId: partner, mode: 'live', amount: 100, balance: 100, reference: 'ONE' }
    expect(events).toEqual([
      ['credited', { ...credit, ledgerId: id }, 5],
      ['mailed', 'buyer@shop.example'],
    ])
    topUps.credit({ ...record, email: null }, 'live', cents(100), 'TWO', 6)
    expect(events).toHaveLength(3)
  })
})
