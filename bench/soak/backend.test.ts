import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { seeded } from '../../e2e/support/seeded.ts'
import { crashPointNames } from '../../server/domain/crash-points.ts'
import soakBackend from './backend.ts'
import { createFindings } from './backend/findings.ts'
import { planKills } from './backend/plan.ts'
import { startReceiver } from './backend/receiver.ts'
import { startServer } from './backend/server-process.ts'
import { tour } from './backend/tour.ts'
import { createWorld, populate } from './backend/world.ts'

/** A different slice each day: two weeks cover all crash points. */
const day = Math.floor(Date.now() / 86_400_000)
const A_DAY = 4

test('keeps what it acknowledged, once, when the backend is killed at crash points and at any instant', async () => {
  const told: string[] = []
  const moments = Array.from(
    { length: A_DAY },
    (_, index) =>
      crashPointNames[(day * A_DAY + index) % crashPointNames.length] ?? 'order.debited',
  )
  const result = await soakBackend({
    rounds: 2,
    seed: day,
    log: (text) => void told.push(text),
    each: 1,
    moments,
  })
  expect(result, `seed ${day}: ${told.join('\n')}`).toMatchObject({ lost: 0, twice: 0, wrong: 0 })
  expect(result.kills).toBeGreaterThanOrEqual(A_DAY)
  expect(result.acknowledged).toBeGreaterThan(result.kills)
}, 180_000)

test('reaches every crash point under the load that is killed', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'keydesk-tour-'))
  const receiver = await startReceiver(seeded(1))
  try {
    const told: string[] = []
    const world = createWorld(
      path.join(root, 'data'),
      receiver,
      createFindings(
        (text) => told.push(text),
        () => 'tour',
      ),
    )
    const countsFile = path.join(root, 'counts.json')
    const server = startServer(world.folder, { countsFile })
    const ready = await server.ready
    if (ready === null) throw new Error((await server.ended).stderr)
    await populate(world, ready)
    const counts = await tour(world, server, ready, 20_261_121, countsFile)
    expect(crashPointNames.filter((moment) => counts[moment] === 0)).toEqual([])
    expect(told).toEqual([])
  } finally {
    await receiver.close()
    rmSync(root, { recursive: true, force: true })
  }
}, 180_000)

test('makes the same plan from the same seed, with every crash point as often as requested', () => {
  const plan = planKills(7, { random: 50, each: 3 })
  expect(planKills(7, { random: 50, each: 3 })).toEqual(plan)
  expect(planKills(8, { random: 50, each: 3 })).not.toEqual(plan)
  const named = plan.flatMap(({ strike }) => strike?.crashPoint ?? [])
  expect(crashPointNames.map((moment) => named.filter((each) => each === moment).length)).toEqual(
    crashPointNames.map(() => 3),
  )
  expect(plan).toHaveLength(named.length + 50)
})
