import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import soakSimulate from './simulate.ts'
import { simulateDays } from './simulate/days.ts'
import { plantedBugs } from './simulate/planted.ts'

const folder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

test('loses nothing in simulated days, and a seed repeats every event of its day', async () => {
  const result = await soakSimulate({ rounds: 3, seed: 9, log: () => {}, replayed: 3 })
  expect(result).toMatchObject({ lost: 0, twice: 0, wrong: 0, days: 3, replayed: 3 })
  expect(result.kills).toBeGreaterThan(0)
}, 300_000)

test.each(plantedBugs)(
  'finds a console that $name',
  async (bug) => {
    const found: string[] = []
    for await (const { findings } of simulateDays({ seeds: [bug.seed], folder, bug }))
      found.push(...findings.map(({ what }) => what))
    expect(found).not.toEqual([])
    // A day that fails proves nothing about the comparison.
    expect(found.join('\n')).not.toMatch(/no longer contains|the process exited|never happens/)
  },
  300_000,
)
