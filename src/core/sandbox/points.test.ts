import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sandboxDatabase } from '../../../server/api/sandbox-database.ts'
import { monotonicAt } from '../clock.ts'
import { failure } from '../failure.ts'
import { temporaryFolder } from '../testing/context.ts'
import type { Dashboard } from './dashboard.ts'
import { createPoints, type Points } from './points.ts'

let folder: ReturnType<typeof temporaryFolder>
let names: string[]
let latest: string
let now: number
let fails: boolean
let points: Points

beforeEach(() => {
  folder = temporaryFolder()
  mkdirSync(folder.path, { recursive: true })
  names = ['mine', '_back-soon']
  latest = 'req_1'
  now = 1_800_000_000_000
  fails = false
  sized(1024)
  const answers: Readonly<Record<string, (input: never) => unknown>> = {
    listSnapshots: () => ({ results: names.map((name) => ({ name })) }),
    createSnapshot: ({ body }: { body: { name: string } }) => void names.push(body.name),
    deleteSnapshot: ({ params }: { params: { name: string } }) =>
      void names.splice(names.indexOf(params.name), 1),
    listRequests: ({ query }: { query: { method: string } }) => ({
      results: query.method === 'PUT' ? [] : [{ requestId: latest }],
    }),
  }
  const call = (operation: string, input: object): Promise<unknown> =>
    fails
      ? Promise.reject(failure('OFFLINE', 'No response.', 'Try again.'))
      : Promise.resolve(answers[operation]?.(input as never))
  const dashboard: Pick<Dashboard, 'call'> = { call: call as Dashboard['call'] }
  points = createPoints(dashboard, folder.path, {
    now: () => now,
    monotonic: () => monotonicAt(now),
  })
})
afterEach(() => folder.remove())

function sized(bytes: number): void {
  const path = join(folder.path, sandboxDatabase.file)
  writeFileSync(path, '')
  truncateSync(path, bytes)
}
const saved = async () => (await points.list()).map(({ reason }) => reason)

test('keeps the newest points and every snapshot of the person', async () => {
  for (let i = 0; i < 15; i += 1) {
    now += 60_000
    await points.save('restore')
  }
  const times = (await points.list()).map(({ at }) => at)
  expect(times).toEqual(Array.from({ length: 12 }, (_, i) => now - i * 60_000))
  expect(names.slice(0, 2)).toEqual(['mine', '_back-soon'])
})

test('keeps fewer of a large sandbox, none of a very large one, and the one to restore', async () => {
  sized(50 * 1024 * 1024)
  for (let i = 0; i < 4; i += 1) {
    now += 60_000
    await points.offer('reset')
  }
  expect(await saved()).toEqual(['reset', 'reset'])
  const [, oldest] = await points.list()
  now += 60_000
  await points.save('back', oldest?.name)
  expect((await points.list()).map(({ at }) => at)).toContain(oldest?.at)
  sized(100 * 1024 * 1024)
  const before = await saved()
  now += 60_000
  await points.offer('reset')
  expect(await saved()).toEqual(before)
})

test('saves a point each minute only after a change', async () => {
  await points.offerIfChanged()
  now += 60_000
  await points.offerIfChanged()
  expect(await saved()).toEqual(['minute'])
  latest = 'req_2'
  now += 60_000
  await points.offerIfChanged()
  expect(await saved()).toEqual(['minute', 'minute'])
})

test('keeps the point before the first of several quick steps of the clock', async () => {
  await points.offer('clock')
  now += 5000
  await points.offer('clock')
  expect(await saved()).toEqual(['clock'])
  now += 5000
  await points.offer('clock')
  expect(await saved()).toEqual(['clock', 'clock'])
})

test('lets a step continue when the sandbox does not respond, and reports it before going back', async () => {
  fails = true
  await points.offer('reset')
  await points.offerIfChanged()
  await expect(points.save('back')).rejects.toMatchObject({ problem: { code: 'OFFLINE' } })
})
