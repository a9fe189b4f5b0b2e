import { generateKeyPairSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Job } from '../../contract/app/app.ts'
import { busyWork } from './busy.ts'
import { shareOf } from './judge.ts'
import { content, createUpdateWorld, fileOf, keys, start } from './testing/update-world.ts'
import type { UpdateWorld } from './testing/update-world.ts'
import { compareVersions } from './version.ts'

let world: UpdateWorld
beforeEach(async () => {
  world = await createUpdateWorld()
})
afterEach(() => world.close())

/** Lets time pass until the waiting restart has taken place, once. */
const untilRestarted = (): Promise<void> =>
  expect
    .poll(async () => {
      await world.clock.run(3000, 1000)
      return world.restarts
    })
    .toBe(1)

it('offers, downloads, verifies and applies an update, each when a person asks for it', async () => {
  const updates = world.create()
  expect(await updates.check()).toMatchObject({
    status: 'available',
    current: '1.4.2',
    checkedAt: start,
    offer: { version: '1.5.0', changes: ['Replies can be undone.'], bytes: content.length },
  })
  expect(existsSync(world.path)).toBe(false)
  expect(await updates.download()).toMatchObject({ status: 'ready', done: content.length })
  expect(world.applied).toBeNull()
  await updates.restart('now')
  expect(world.applied).toBe(content.toString())
  world.clock.advance(1000)
  expect(world.restarts).toBe(1)
})

it('accepts the second key of the ring, so that the first can be replaced', async () => {
  world.serveManifest(world.sign(world.manifest(), keys.second))
  await world.update()
  expect(world.applied).toBe(content.toString())
})

it('requests nothing without a configured address, or from sources', async () => {
  const updates = world.create(null)
  world.clock.advance(3 * 86_400_000)
  expect(await updates.check()).toMatchObject({ status: 'off', checkedAt: null })
  expect(world.requests).toEqual([])
})

it('sends nothing that identifies this installation, and keeps its place in the roll-out', async () => {
  await world.create().check()
  const kept = world.stored.get('update installation')
  await world.create().check()
  expect(world.stored.get('update installation')).toBe(kept)
  expect(new Set(world.requests)).toEqual(new Set(['/manifest.json']))
  const shares = Array.from({ length: 2000 }, (_, at) => shareOf(`installation ${at}`, '1.5.0'))
  expect(shares.filter((share) => share < 10).length / shares.length).toBeCloseTo(0.1, 1)
  expect(Math.min(...shares)).toBe(0)
  expect(Math.max(...shares)).toBe(99)
})

it.each([
  { uploads: 1, changes: 0, orders: 0 },
  { uploads: 0, changes: 1, orders: 0 },
  { uploads: 0, changes: 0, orders: 1 },
])('applies nothing while %j is in flight, and restarts when it finishes', async (work) => {
  const updates = world.create()
  await updates.check()
  await updates.download()
  const idle = world.busy
  world.busy = { ...idle, ...work }
  await expect(updates.restart('now')).rejects.toMatchObject({ problem: { code: 'CONFLICT' } })
  expect(await updates.restart('idle')).toMatchObject({ restartsWhenIdle: true })
  await world.clock.run(60_000, 1000)
  expect([world.applied, world.restarts]).toEqual([null, 0])
  world.busy = idle
  await untilRestarted()
  expect(world.applied).toBe(content.toString())
})

it('keeps waiting for work that starts while the update is verified', async () => {
  const updates = world.create()
  await updates.check()
  await updates.download()
  const idle = world.busy
  const work = { ...idle, uploads: 1 }
  world.busy = work
  await updates.restart('idle')
  let reads = 0
  const read = (): typeof idle => ((reads += 1) === 1 ? idle : work)
  Object.defineProperty(world, 'busy', { configurable: true, get: read })
  await expect
    .poll(async () => {
      await world.clock.run(3000, 1000)
      return reads
    })
    .toBeGreaterThan(1)
  expect([world.applied, world.restarts]).toEqual([null, 0])
  expect(updates.state().restartsWhenIdle).toBe(true)
  Object.defineProperty(world, 'busy', { configurable: true, writable: true, value: idle })
  await untilRestarted()
})

it('keeps a downloaded update, and a restart that waits, when a check gets no answer', async () => {
  const updates = world.create()
  await updates.check()
  await updates.download()
  const idle = world.busy
  world.busy = { ...idle, uploads: 1 }
  await updates.restart('idle')
  world.answer('/manifest.json', (request) => void request.socket.destroy())
  expect(await updates.check()).toMatchObject({ status: 'ready', restartsWhenIdle: true })
  world.busy = idle
  await untilRestarted()
  expect(world.applied).toBe(content.toString())
})

it('cancels a restart that waits for work', async () => {
  const updates = world.create()
  await updates.check()
  await updates.download()
  world.busy = { ...world.busy, uploads: 1 }
  await updates.restart('idle')
  expect(updates.cancelRestart().restartsWhenIdle).toBe(false)
  world.busy = { ...world.busy, uploads: 0 }
  await world.clock.run(10_000, 1000)
  expect([world.applied, world.restarts]).toEqual([null, 0])
})

it('only announces where a person installs: the command, then a restart when it is installed', async () => {
  const updates = world.create(undefined, false)
  await updates.check()
  expect(await updates.download()).toMatchObject({
    status: 'ready',
    command: { line: `install ${world.path}`, steps: 'keep-running' },
  })
  await expect(updates.restart('now')).rejects.toMatchObject({ problem: { code: 'CONFLICT' } })
  world.installed = '1.5.0'
  expect(updates.state().status).toBe('installed')
  await updates.restart('now')
  world.clock.advance(1000)
  expect(world.restarts).toBe(1)
})

it('can try again after a failure, and after a rejected update that the owner replaced', async () => {
  const updates = world.create()
  world.answer('/manifest.json', (request) => void request.socket.destroy())
  expect(await updates.check()).toMatchObject({ status: 'failed', refusal: null })
  world.serveManifest('{}')
  expect(await updates.check()).toMatchObject({ status: 'refused' })
  world.serveManifest(world.sign(world.manifest({ sequence: 9 })))
  expect(await updates.check()).toMatchObject({ status: 'available', refusal: null })
})

it('downloads again when the owner replaces the file of a version', async () => {
  const updates = world.create()
  await updates.check()
  await updates.download()
  const newer = Buffer.from('newer')
  world.serveManifest(world.sign(world.manifest({ sequence: 9, files: [fileOf(newer)] })))
  expect((await updates.check()).status).toBe('available')
})

it('signs only valid manifests', () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  expect(() => world.sign(world.manifest({ rollout: 101 }), { ...keys.first, privateKey })).toThrow(
    /rollout/,
  )
})

it.each([
  ['1.10.0', '1.9.9', 1],
  ['2.0.0', '10.0.0', -1],
  ['1.4.2', '1.4.2', 0],
  ['1.4.3', '1.4.2', 1],
])('compares %s with %s by number', (a, b, sign) =>
  expect(Math.sign(compareVersions(a, b))).toBe(sign),
)

it('counts running work that changes something on the service, and orders', () => {
  const job = (kind: Job['kind'], state: Job['state'], done = 0): Job => ({
    id: `${kind} ${state}`,
    kind,
    accountId: null,
    title: kind,
    state,
    done,
    total: 100,
    leftMs: 34_000,
    can: [],
  })
  const jobs = [
    job('catalogue-sync', 'running'),
    job('key-check', 'running'),
    job('key-import', 'paused'),
    job('key-import', 'waiting'),
    job('orders', 'failed'),
  ]
  expect(busyWork(jobs, 0)).toEqual({
    uploads: 0,
    changes: 0,
    orders: 0,
    first: null,
    leftMs: null,
  })
  expect(
    busyWork(
      [
        ...jobs,
        job('key-import', 'running', 62),
        job('offer-changes', 'running'),
        job('dispute-replies', 'running'),
        job('orders', 'running'),
      ],
      2,
    ),
  ).toEqual({
    uploads: 1,
    changes: 2,
    orders: 3,
    first: { title: 'key-import', done: 62, total: 100 },
    leftMs: 34_000,
  })
})
