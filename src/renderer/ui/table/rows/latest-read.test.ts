import { expect, test } from 'vitest'
import { latestRead } from './latest-read.ts'

test('returns the result of a read', async () => {
  expect(await latestRead().take(Promise.resolve('rows'))).toBe('rows')
})

test('ignores a result that arrives after the read was dropped', async () => {
  const reads = latestRead()
  const { promise, resolve } = Promise.withResolvers<string>()
  const taken = reads.take(promise)
  reads.drop()
  resolve('rows of the previous list')
  expect(await taken).toBeNull()
})

test('ignores an earlier read that ends after a later one', async () => {
  const reads = latestRead()
  const { promise, resolve } = Promise.withResolvers<string>()
  const earlier = reads.take(promise)
  expect(await reads.take(Promise.resolve('later'))).toBe('later')
  resolve('earlier')
  expect(await earlier).toBeNull()
})

test('reports a failure unless the read was dropped', async () => {
  const reads = latestRead()
  await expect(reads.take(Promise.reject(new Error('offline')))).rejects.toThrow('offline')
  const dropped = reads.take(Promise.reject(new Error('offline')))
  reads.drop()
  expect(await dropped).toBeNull()
})
