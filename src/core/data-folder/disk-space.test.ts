import { expect, test } from 'vitest'
import { formatMessage, localized } from '../../contract/localization/localized.ts'
import { activitySchema, createActivity, createRedactor } from '../activity/activity.ts'
import { createChanges } from '../changes.ts'
import { openDatabase } from '../mirror/database/open-database.ts'
import { systemRandomness } from '../randomness.ts'
import { temporaryFolder } from '../testing/context.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { createDiskSpace, folderProbe } from './disk-space.ts'

const noSpace = (): Error => Object.assign(new Error('no space left'), { code: 'ENOSPC' })

function createFull() {
  const clock = manualClock()
  const changes = createChanges()
  const disk = { full: true }
  const room = createDiskSpace({
    clock,
    changes,
    tryOut: () => {
      if (disk.full) throw noSpace()
    },
  })
  return { clock, changes, disk, room }
}

test('recognizes a full disk by errors of the system and SQLite, and checks until there is space', () => {
  const { clock, disk, room } = createFull()
  let told = 0
  room.onSpaceFreed(() => {
    told += 1
  })
  expect(room.isCausedBy(new Error('anything else'))).toBe(false)
  expect(room.isFull()).toBe(false)
  expect(
    room.isCausedBy(Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })),
  ).toBe(true)
  clock.advance(60_000)
  expect([room.isFull(), told]).toEqual([true, 0])
  disk.full = false
  clock.advance(3000)
  expect([room.isFull(), told]).toEqual([false, 1])
  clock.advance(60_000)
  expect(told).toBe(1)
  room.isCausedBy(noSpace())
  clock.advance(3000)
  expect(told).toBe(2)
})

test('runs a task again after a full disk, passes on other errors, and never runs a cancelled task', () => {
  const { clock, disk, room } = createFull()
  const patient = room.retryingClock(clock)
  let runs = 0
  let cancelled = 0
  patient.after(10, () => {
    if (disk.full) throw noSpace()
    runs += 1
  })
  const cancel = patient.after(10, () => {
    cancelled += 1
    throw noSpace()
  })
  clock.advance(4000)
  cancel()
  const before = cancelled
  disk.full = false
  clock.advance(60_000)
  expect([runs, cancelled]).toEqual([1, before])
  patient.after(10, () => {
    throw new Error('a defect')
  })
  expect(() => clock.advance(10)).toThrow('a defect')
})

test('writes entries from while the disk was full once there is space, and keeps reading', () => {
  const folder = temporaryFolder()
  const { clock, changes, disk, room } = createFull()
  const database = openDatabase(`${folder.path}/harness.db`, [activitySchema])
  const activity = createActivity({
    database,
    clock: room.retryingClock(clock),
    random: systemRandomness,
    changes,
    redactor: createRedactor(),
    noted: room.isCausedBy,
  })
  room.onSpaceFreed(() => activity.flush())
  const add = (count: number, what: string): void => {
    for (let index = 0; index < count; index += 1)
      activity.add({
        accountId: null,
        what: localized('text', { text: `${what} ${index}` }),
        // Longer than the free space of a page.
        detail: localized('text', { text: 'x'.repeat(5000) }),
        outcome: 'ok',
        code: null,
        status: null,
        requestId: null,
        durationMs: null,
      })
  }
  add(1, 'before')
  clock.advance(1000)
  database.pragma(`max_page_count = ${Number(database.pragma('page_count', { simple: true }))}`)
  add(300, 'while full')
  clock.advance(1000)
  expect(room.isFull()).toBe(true)
  expect(activity.latest(null, 500).map(({ what }) => formatMessage(what))).toEqual(['before 0'])
  database.pragma('max_page_count = 1000000')
  disk.full = false
  clock.advance(3000)
  expect(activity.latest(null, 500)).toHaveLength(301)
  activity.close()
  database.close()
  folder.remove()
})

test('checks a folder’s disk without leaving a trace, and says why it can’t', () => {
  const folder = temporaryFolder()
  folderProbe(folder.path)()
  expect(() => folderProbe(`${folder.path}/gone`)()).toThrow('ENOENT')
  folder.remove()
})
