import { expect, test } from 'vitest'
import { createEmitter } from './emitter.ts'

test('calls the listeners in order with the arguments, until their signal aborts', () => {
  const { emit, listen } = createEmitter<[account: string, count: number]>()
  const calls: string[] = []
  const first = new AbortController()
  listen((account, count) => calls.push(`first ${account} ${count}`), first.signal)
  listen((account, count) => calls.push(`second ${account} ${count}`))
  emit('shop', 1)
  first.abort()
  emit('shop', 2)
  expect(calls).toEqual(['first shop 1', 'second shop 1', 'second shop 2'])
})

test('never calls a listener whose signal was aborted before', () => {
  const { emit, listen } = createEmitter<[]>()
  let calls = 0
  listen(() => (calls += 1), AbortSignal.abort())
  emit()
  expect(calls).toBe(0)
})

test('passes the error of a listener to the caller', () => {
  const { emit, listen } = createEmitter<[]>()
  listen(() => {
    throw new Error('full')
  })
  expect(() => emit()).toThrow('full')
})
