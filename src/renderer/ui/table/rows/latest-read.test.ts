import { expect, test } from 'vitest'
import { latestRead } from './latest-read.ts'

test('returns the result of a read', async () => {
  expect(await latestRead().take(Promise.resolve('rows'))).toBe('rows')
})

test('ignores a result that arrives after the read was dropped', async () => {
  const reads = latestRead<string>()
  const { promise, resolve } = Promise.withResolvers<string>()
  const taken = reads.take(promise)
  reads.drop()
  resolve('rows of the previous list')
  expect(await taken).toBeNull()
})

test('ignores an earlier read that ends after a later one', async () => {
  const reads = latestRead<string>()
  const { promise, resolve } = Promise.withResolvers<string>()
  const earlier = reads.take(promise)
  expect(await reads.take(Promise.resolve('later'))).toBe('later')
  resolve('earlier')
  expect(await earlier).toBeNull()
})

test('reports a failure unless the read was dropped', async () => {
  const reads = latestRead<string>()
  await expect(reads.take(Promise.reject(new Error('offline')))).rejects.toThrow('offline')
  const dropped = reads.take(Promise.reject(new Error('offline')))
  reads.drop()
  expect(await dropped).toBeNull()
})

test('calls an action with the result of the read in progress, after its own use of it', async () => {
  const reads = latestRead<string>()
  const { promise, resolve } = Promise.withResolvers<string>()
  const used: string[] = []
  const checked = reads.take(promise).then((rows) => used.push(`checked ${rows}`))
  expect(reads.whenRead((rows) => used.push(`sent ${rows}`))).toBe(true)
  resolve('rows')
  await checked
  expect(used).toEqual(['checked rows', 'sent rows'])
  expect(reads.whenRead(() => used.push('later'))).toBe(false)
})

test('calls no action of a read that is dropped, replaced or fails', async () => {
  const reads = latestRead<string>()
  const used: string[] = []
  const use = (rows: string): void => void used.push(rows)
  expect(reads.whenRead(use)).toBe(false)
  const { promise, resolve } = Promise.withResolvers<string>()
  const dropped = reads.take(promise)
  reads.whenRead(use)
  reads.drop()
  expect(reads.whenRead(use)).toBe(false)
  resolve('rows of the previous list')
  await dropped
  const replaced = reads.take(Promise.resolve('earlier'))
  reads.whenRead(use)
  const failed = reads.take(Promise.reject(new Error('offline')))
  reads.whenRead(use)
  await replaced
  await expect(failed).rejects.toThrow('offline')
  expect(reads.whenRead(use)).toBe(false)
  expect(used).toEqual([])
})

test('calls only the last action requested during a read', async () => {
  const reads = latestRead<string>()
  const { promise, resolve } = Promise.withResolvers<string>()
  const used: string[] = []
  const taken = reads.take(promise)
  for (const action of ['pause', 'hold', 'reject'])
    expect(reads.whenRead((rows) => used.push(`${action} ${rows}`))).toBe(true)
  resolve('rows')
  await taken
  await Promise.resolve()
  expect(used).toEqual(['reject rows'])
})
