import { expect, test } from 'vitest'
import { formatMessage } from '../../contract/localization/localized.ts'
import type { Localized } from '../../contract/localization/localized.ts'
import { createChanges } from '../changes.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { createJobs } from './jobs.ts'

const job = {
  id: 'j',
  kind: 'key-import',
  accountId: 'a',
  title: 'Import',
  state: 'running',
  done: 0,
  total: 9,
  leftMs: null,
} as const
const book = (told: string[] = []) => ({
  add: ({ what, outcome }: { what: Localized; outcome: string }) =>
    void told.push(`${formatMessage(what)} ${outcome}`),
})
const memory = () => {
  const kept = new Map<string, string>()
  return {
    recall: (name: string) => kept.get(name) ?? null,
    remember: (name: string, value: string) => void kept.set(name, value),
  }
}

test('sends at most ten updates a second to the screen, and the latest wins', async () => {
  const clock = manualClock(0)
  const changes = createChanges()
  const jobs = createJobs(changes, clock, memory(), book())
  const ends = new AbortController()
  const heard: number[] = []
  const listening = (async () => {
    for await (const { topic } of changes.listen(ends.signal))
      if (topic === 'jobs') heard.push(jobs.list()[0]?.done ?? -1)
  })()
  for (let done = 0; done < 1000; done += 1) {
    jobs.set({ ...job, done })
    await clock.run(1, 1)
  }
  await clock.run(200)
  ends.abort()
  await listening
  expect(heard.length).toBeGreaterThanOrEqual(9)
  expect(heard.length).toBeLessThanOrEqual(10)
  expect(heard.at(-1)).toBe(999)
})

test('a page that doesn’t read for a while receives one change per subject, not a queue of repeats', async () => {
  const changes = createChanges()
  const ends = new AbortController()
  const reader = changes.listen(ends.signal)
  await reader.next()
  const next = reader.next()
  for (let times = 0; times < 500; times += 1) {
    changes.notify('jobs')
    changes.notify('offers', 'a', `o${times % 3}`)
  }
  changes.notify('offers', 'a', 'last')
  const first = await next
  const rest: (string | null | undefined)[] = []
  for (let times = 0; times < 4; times += 1) {
    const { value } = await reader.next()
    rest.push(value?.id)
  }
  expect(first.value?.topic).toBe('jobs')
  expect(rest).toEqual(['o0', 'o1', 'o2', 'last'])
  const none = reader.next()
  ends.abort()
  expect((await none).done).toBe(true)
})

test('a job lists its possible actions, performs them, and rejects the others', async () => {
  const jobs = createJobs(createChanges(), manualClock(0), memory(), book())
  const did: string[] = []
  const controls = {
    pause: () => void did.push('pause'),
    resume: () => void did.push('resume'),
    cancel: async () => void did.push('cancel'),
  }
  jobs.set(job)
  expect(jobs.list()[0]?.can).toEqual([])
  jobs.set(job, controls)
  expect(jobs.list()[0]?.can).toEqual(['pause', 'cancel'])
  await jobs.act('j', 'pause')
  jobs.set({ ...job, state: 'paused' }, controls)
  await expect(jobs.act('j', 'pause')).rejects.toMatchObject({ problem: { code: 'CONFLICT' } })
  await jobs.act('j', 'resume')
  await jobs.act('j', 'cancel')
  expect(did).toEqual(['pause', 'resume', 'cancel'])
  jobs.end('j')
  await expect(jobs.act('j', 'cancel')).rejects.toMatchObject({ problem: { code: 'NOT_FOUND' } })
})

test('a paused job stays paused after a restart', () => {
  const kept = memory()
  createJobs(createChanges(), manualClock(0), kept, book()).setPaused('j', true)
  const jobs = createJobs(createChanges(), manualClock(0), kept, book())
  expect([jobs.isPaused('j'), jobs.isPaused('k')]).toEqual([true, false])
  jobs.setPaused('j', false)
  expect(createJobs(createChanges(), manualClock(0), kept, book()).isPaused('j')).toBe(false)
})

test('logs every change of a job in the activity, once each', async () => {
  const told: string[] = []
  const jobs = createJobs(createChanges(), manualClock(0), memory(), book(told))
  const controls = { pause: () => {}, resume: () => {} }
  for (let done = 0; done < 5; done += 1) jobs.set({ ...job, done }, controls)
  await jobs.act('j', 'pause')
  jobs.set({ ...job, state: 'failed' }, controls)
  jobs.set({ ...job, state: 'failed' }, controls)
  jobs.end('j')
  jobs.end('j')
  expect(told).toEqual([
    'Import: started ok',
    'Import: paused ok',
    'Import: stopped failed',
    'Import: finished ok',
  ])
})
