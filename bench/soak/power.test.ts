import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { seeded } from '../../e2e/support/seeded.ts'
import soakPower from './power.ts'
import { cutVaults } from './power/alone.ts'
import { compileShim, missingForCuts } from './power/shim.ts'

const missing = missingForCuts()
const seed = 20_261_124

describe.skipIf(missing !== null)(`power cuts${missing === null ? '' : ` (${missing})`}`, () => {
  test('lose nothing of a vault or a backup that was acknowledged', async () => {
    const result = await soakPower({ rounds: 40, seed, log: () => {}, only: ['vault', 'backup'] })
    expect(result).toMatchObject({ lost: 0, twice: 0, wrong: 0, cuts: 40 })
    expect(Math.min(result.losses.all, result.losses.from, result.losses.some)).toBeGreaterThan(0)
  }, 180_000)

  test.each(['orders', 'import', 'backend'] as const)(
    'lose nothing that was acknowledged while the part runs: %s',
    async (part) => {
      const said: string[] = []
      const result = await soakPower({
        rounds: 3,
        seed,
        log: (text) => said.push(text),
        only: [part],
      })
      expect(result, said.join('\n')).toMatchObject({ lost: 0, twice: 0, wrong: 0 })
      expect(result.cuts).toBeGreaterThan(0)
    },
    180_000,
  )

  test('find a console that acknowledges before its commits are on the disk', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-power-'))
    try {
      const { lost } = await cutVaults({
        shim: compileShim(folder),
        cuts: 15,
        below: seeded(seed),
        losses: { all: 0, from: 0, some: 0 },
        log: () => {},
        hasty: true,
      })
      expect(lost).toBeGreaterThan(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }, 120_000)
})
