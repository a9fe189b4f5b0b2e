import { createRouterClient } from '@orpc/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Account } from '../../contract/app/accounts.ts'
import { outboxFeature } from './outbox.ts'
import { outboxSchema } from './schema.ts'
import { createOutboxRouter } from './router.ts'
import { accountId, createFakeOutbox, facts } from './testing/fake-service.ts'
import type { FakeOutbox } from './testing/fake-service.ts'

let world: FakeOutbox
beforeEach(() => {
  world = createFakeOutbox()
})
afterEach(() => world.close())
const client = () => createRouterClient(createOutboxRouter(world.outbox, world.sender))

test('compares, discards, restores and sends a change through the contract', async () => {
  const api = client()
  const { entryId } = world.add()
  await api.compare({ accountId })
  expect(await api.list({ accountId })).toMatchObject({
    total: 1,
    rows: [{ entryId, verdict: 'ready', present: { priceCents: 1285 } }],
  })
  const some = { accountId, entryIds: [entryId] }
  const account = { id: accountId } as Account
  expect(outboxFeature.unfinished?.(world.outbox, account)).toEqual({ queuedChanges: 1 })
  expect(await api.discard(some)).toMatchObject([{ state: 'dropped' }])
  expect(await api.restore(some)).toMatchObject([{ state: 'waiting' }])
  expect(await api.send({ ...some, entryIds: ['unknown', entryId] })).toMatchObject([
    { entryId, state: 'sent' },
  ])
  expect(await api.entry({ accountId, entryId })).toMatchObject({ entryId, text: null })
  expect(await api.list({ accountId, tab: 'sent' })).toMatchObject({ counts: { sent: 1 } })
})

test('has a time of comparison only while every waiting change has been compared', async () => {
  const comparedAt = () =>
    world.outbox.list({ accountId, tab: 'waiting', query: '', window: { offset: 0, limit: 1 } })
      .comparedAt
  world.add()
  world.service.set('gone', null)
  const first = world.clock.now()
  await world.sender.compare({ accountId })
  world.clock.advance(10)
  const { entryId } = world.add({ subjectId: 'gone' })
  expect(comparedAt()).toBeNull()
  await world.sender.compare({ accountId })
  expect(comparedAt()).toBe(first + 10)
  world.clock.advance(10)
  world.state.read = (subjectId) => {
    if (subjectId === 'gone') throw new Error('unreachable')
  }
  await expect(world.sender.compare({ accountId })).rejects.toThrow('unreachable')
  expect(comparedAt()).toBe(first + 10)
  world.add({ seen: facts(), subjectId: 'gone' })
  expect(world.outbox.entry({ accountId, entryId }).presentAt).toBe(first + 10)
  expect(comparedAt()).toBeNull()
})

test('declares the text of an answer as encrypted, in the journal', () => {
  expect(outboxSchema).toMatchObject({ feature: 'outbox', place: 'journal' })
  expect(
    outboxSchema.sealed?.map(({ recordId, ...column }) => ({
      ...column,
      record: recordId({ entry_id: 'e1' }),
    })),
  ).toEqual([
    {
      kind: 'outbox-text',
      table: 'outbox',
      column: 'text_sealed',
      key: ['entry_id'],
      record: 'outbox:e1',
    },
  ])
})
