import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createCompletions } from './delivery-work.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Waits that note their name when they end. */
function waits() {
  const completions = createCompletions()
  const ended: string[] = []
  const wait = (name: string, orderId: string, signal = new AbortController().signal) =>
    void completions.wait(orderId, 1000, signal).then(() => ended.push(name))
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { completions, ended, wait, settle }
}

it('ends every wait for an order when it is final, and no other', async () => {
  const { completions, ended, wait, settle } = waits()
  wait('a', 'ord_1')
  wait('b', 'ord_1')
  wait('c', 'ord_2')
  completions.done('ord_1')
  completions.done('ord_3')
  await settle()
  expect(ended).toEqual(['a', 'b'])
  expect(vi.getTimerCount()).toBe(1)
  wait('d', 'ord_1')
  completions.done('ord_1')
  await settle()
  expect(ended).toEqual(['a', 'b', 'd'])
})

it('ends one wait after its time, and still the other when the order is final', async () => {
  const { completions, ended, wait, settle } = waits()
  wait('early', 'ord_1')
  vi.advanceTimersByTime(500)
  wait('late', 'ord_1')
  vi.advanceTimersByTime(499)
  await settle()
  expect(ended).toEqual([])
  vi.advanceTimersByTime(1)
  await settle()
  expect(ended).toEqual(['early'])
  completions.done('ord_1')
  await settle()
  expect(ended).toEqual(['early', 'late'])
})

it('ends a wait when its client disconnects, or has disconnected already', async () => {
  const { ended, wait, settle } = waits()
  const client = new AbortController()
  wait('a', 'ord_1', client.signal)
  wait('b', 'ord_1')
  client.abort()
  wait('c', 'ord_1', client.signal)
  await settle()
  expect(ended).toEqual(['a', 'c'])
})

it('listens to a client only while it waits', async () => {
  const { completions } = waits()
  const { signal } = new AbortController()
  const removed = vi.spyOn(signal, 'removeEventListener')
  const waiting = completions.wait('ord_1', 1000, signal)
  completions.done('ord_1')
  await waiting
  expect(removed).toHaveBeenCalledWith('abort', expect.any(Function))
})

it('ends every wait when the service stops', async () => {
  const { completions, ended, wait, settle } = waits()
  wait('a', 'ord_1')
  wait('b', 'ord_2')
  completions.closeAll()
  await settle()
  expect(ended).toEqual(['a', 'b'])
  expect(vi.getTimerCount()).toBe(0)
})
