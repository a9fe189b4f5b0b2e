import DatabaseConstructor from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { ServiceConnection } from '../../context.ts'
import { failure } from '../../failure.ts'
import { salesSchema } from '../../sales/sales.ts'
import { saleStore } from '../../sales/store.ts'
import { saleFacts } from '../../sales/sync/facts.ts'
import { disputesSchemas } from '../schema.ts'
import { disputeStore } from '../store.ts'
import type { ServiceDispute } from './facts.ts'
import { pollDisputes } from './poll.ts'
import type { DisputeAccount } from './write-disputes.ts'

/** An account with one pending sale, at a service with these disputes about it. */
function accountWith(disputes: ServiceDispute[]) {
  const db = new DatabaseConstructor(':memory:')
  for (const { steps } of [salesSchema, ...disputesSchemas]) for (const step of steps) db.exec(step)
  const sale = { id: 'sal_1', status: 'pending', soldAt: '2026-01-05T09:00:00.000Z' } as const
  saleStore(db).put(saleFacts(sale), null, 1, 1, 1)
  let now = 0
  let announced = 0
  const account = {
    accountId: 'a',
    store: disputeStore(db),
    texts: {
      sealReason: () => null,
      fingerprint: () => null,
      isOpen: () => false,
      conversation: () => ({ bodies: false, others: 0, messages: [], attachments: [] }),
    },
    context: {
      clock: { now: () => (now += 1) },
      changes: { notify: (topic: string) => (announced += Number(topic === 'sales')) },
    },
  } as unknown as DisputeAccount
  const call = (async (
    operation: string,
    { query, params }: { query?: { status?: string }; params?: { id: string } },
  ) => {
    if (operation === 'listDisputes')
      return {
        hasMore: false,
        results: disputes.filter(({ status }) => status === (query?.status ?? status)),
      }
    const found = disputes.find(({ id }) => id === params?.id)
    if (found === undefined) throw failure('NOT_FOUND', 'Not found.', 'Sync.')
    return { ...found, messages: [] }
  }) as unknown as ServiceConnection['call']
  return {
    sale: () => saleStore(db).find('sal_1'),
    /** Polls once; returns how many times a change of the sale was announced. */
    async poll(): Promise<number> {
      announced = 0
      const { signal } = new AbortController()
      await pollDisputes({ account, connection: { call }, signal })
      return announced
    },
  }
}
const about = (id: string, day: number, status: 'open' | 'resolved'): ServiceDispute => ({
  id,
  saleId: 'sal_1',
  status,
  openedAt: `2026-01-0${day}T09:00:00.000Z`,
})

test('holds a sale with a resolved and an open dispute after every poll', async () => {
  const { poll, sale } = accountWith([about('dsp_2', 7, 'open'), about('dsp_1', 6, 'resolved')])
  await poll()
  for (let polls = 0; polls < 3; polls += 1) {
    expect(await poll()).toBe(0)
    expect(sale()).toMatchObject({ held: 1, dispute_id: 'dsp_2' })
  }
})

test('no longer holds a sale whose open dispute the service doesn’t have any more', async () => {
  const disputes = [about('dsp_1', 6, 'open')]
  const { poll, sale } = accountWith(disputes)
  await poll()
  expect(sale()).toMatchObject({ held: 1, dispute_id: 'dsp_1' })
  disputes.length = 0
  expect(await poll()).toBe(1)
  expect(sale()).toMatchObject({ held: 0, dispute_id: null })
})
