import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { missingForCuts } from './shim.ts'
import { createCuts } from './supply.ts'

/** Any time before the test, in milliseconds. */
const AT = 1_700_000_000_123

/** Writes and syncs a file and its name, and sets its date by path or by descriptor. */
const program = `
const fs = require('node:fs')
const [folder, by] = process.argv.slice(1)
const file = fs.openSync(folder + '/dated', 'w')
fs.writeSync(file, 'text')
const at = ${AT} / 1000
if (by === 'path') fs.utimesSync(folder + '/dated', at, at)
else fs.futimesSync(file, at, at)
fs.fsyncSync(file)
fs.fsyncSync(fs.openSync(folder, 'r'))
`

test.skipIf(missingForCuts() !== null).each(['path', 'descriptor'])(
  'keeps the synced date of a file that was set by its %s',
  (by) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-shim-'))
    const cuts = createCuts(1, { all: 0, from: 0, some: 0 })
    try {
      const root = path.join(folder, 'root')
      const supply = cuts.supply(root, false)
      const { status, stderr } = spawnSync(process.execPath, ['-e', program, root, by], {
        env: { ...process.env, ...supply.env },
      })
      expect(status, stderr.toString()).toBe(0)
      supply.off()
      const dated = path.join(root, 'dated')
      expect(readFileSync(dated, 'utf8')).toBe('text')
      expect(Math.round(statSync(dated).mtimeMs)).toBe(AT)
    } finally {
      cuts.remove()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
