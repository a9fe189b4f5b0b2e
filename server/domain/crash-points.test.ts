import { channel } from 'node:diagnostics_channel'
import { expect, test } from 'vitest'
import { channelName, crashPointNames, crashPoints, reachCrashPoint } from './crash-points.ts'

test('notifies only the subscribers of a crash point, synchronously, each time it is reached', () => {
  const published: string[] = []
  const listen = (_: unknown, name: string | symbol) => void published.push(String(name))
  const heard = channel(channelName('order.debited'))
  heard.subscribe(listen)
  for (const point of crashPointNames) reachCrashPoint(point)
  expect(published).toEqual(['keydesk:order.debited'])
  heard.unsubscribe(listen)
  reachCrashPoint('order.debited')
  expect(published).toHaveLength(1)
})

test('describes the state at each crash point', () => {
  const texts = Object.values(crashPoints)
  expect(texts.filter((text) => !text.includes(' '))).toEqual([])
  expect(new Set(texts).size).toBe(crashPointNames.length)
})
