import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { seeded } from '../../../e2e/support/seeded.ts'
import type { PowerCuts, Supply } from '../support/power-cuts.ts'
import { readDisk } from './disk.ts'
import { readLog } from './log.ts'
import { compileShim, recordingEnvironment } from './shim.ts'

/** A cut strikes at most this many changes after it was ordered. */
const MOST_CHANGES = 60
/** Number of changes during a start, most of which create the databases. */
const START_CHANGES = 400

/** Counts of power cuts, by what they left of the changes that weren't synced. */
export type Losses = { all: number; from: number; some: number }

export type Cuts = PowerCuts & {
  /** Recorded changes so far. */
  changes(): number
  remove(): void
}

/** Cuts the power of processes, every fifth of them during its start. Counts what they lost. */
export function createCuts(seed: number, losses: Losses): Cuts {
  const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-power-'))
  const shim = compileShim(folder)
  const below = seeded(seed)
  let lives = 0
  let changes = 0

  function supply(root: string, startCut: boolean): Supply {
    lives += 1
    mkdirSync(root, { recursive: true })
    const log = path.join(folder, `${lives}.log`)
    const control = path.join(folder, `${lives}.control`)
    writeFileSync(log, '')
    const left = openSync(control, 'w+')
    let isOver = false
    const cutAfter = (count: number): void => {
      const bytes = Buffer.alloc(4)
      bytes.writeInt32LE(count)
      if (!isOver) writeSync(left, bytes, 0, 4, 0)
    }
    cutAfter(startCut && below(5) === 0 ? 1 + below(START_CHANGES) : 0)
    const disk = readDisk(root)
    return {
      env: recordingEnvironment(shim, { root, log, control }),
      cutSoon: () => cutAfter(1 + below(MOST_CHANGES)),
      off() {
        isOver = true
        closeSync(left)
        const made = readLog(log)
        for (const change of made) disk.record(change)
        changes += made.length
        losses[disk.leave(root, below)] += 1
        rmSync(log)
        rmSync(control)
      },
    }
  }
  return {
    supply,
    changes: () => changes,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
