import { beforeEach, describe, expect, it } from 'vitest'
import type { PendingDelivery, WebhookRepository } from '../ports/ordering/webhooks.ts'
import { createEndpointQueues, type EndpointQueues } from './endpoint-queues.ts'

/** The due times of each account's pending deliveries; row numbers count from 1. */
let stored: Map<string, number[]>
let queues: EndpointQueues

beforeEach(() => {
  stored = new Map([
    ['ptr_1', [300, 400]],
    ['ptr_2', [100, 200, 500, 600, 700, 800]],
  ])
  queues = createEndpointQueues({
    partnersWithPending: () => Array.from(stored.keys()),
    pending: (partnerId: string, limit: number) =>
      (stored.get(partnerId) ?? [])
        .map((dueAt, index) => ({ no: index + 1, dueAt }) as PendingDelivery)
        .slice(0, limit),
  } as unknown as WebhookRepository)
})

const dueAt = (at: number) => queues.due(at).map(([partnerId]) => partnerId)
/** Starts every delivery of an account that may start. */
function startAll(partnerId: string): number[] {
  const [, queue] = queues.due(10_000).find(([id]) => id === partnerId) ?? []
  if (queue === undefined) return []
  const started = queues.pending(partnerId, queue).map(({ no }) => no)
  for (const no of started) queue.running.add(no)
  queues.refresh(partnerId)
  return started
}

describe('the deliveries of all endpoints', () => {
  it('are due when the earliest one is, at the exact time', () => {
    expect(queues.nextAt()).toBeNull()
    queues.reload()
    expect(queues.nextAt()).toBe(100)
    expect(dueAt(99)).toEqual([])
    expect(dueAt(100)).toEqual(['ptr_2'])
    expect(dueAt(300)).toEqual(['ptr_1', 'ptr_2'])
  })

  it('run at most four at a time for one endpoint, without delaying another', () => {
    queues.reload()
    expect(startAll('ptr_2')).toEqual([1, 2, 3, 4])
    expect(queues.nextAt()).toBe(300)
    expect(dueAt(10_000)).toEqual(['ptr_1'])
    expect(startAll('ptr_2')).toEqual([])
    expect(startAll('ptr_1')).toEqual([1, 2])
    expect(queues.nextAt()).toBeNull()
  })

  it('are read again when an account changed, and all of them after a reload', () => {
    queues.reload()
    stored.set('ptr_1', [50])
    expect(queues.nextAt()).toBe(100)
    queues.refresh('ptr_1')
    expect(queues.nextAt()).toBe(50)
    stored.delete('ptr_1')
    queues.refresh('ptr_1')
    expect(queues.nextAt()).toBe(100)
    expect(dueAt(10_000)).toEqual(['ptr_2'])
    stored = new Map([['ptr_3', [900]]])
    queues.reload()
    expect(queues.nextAt()).toBe(900)
    expect(dueAt(10_000)).toEqual(['ptr_3'])
  })
})
