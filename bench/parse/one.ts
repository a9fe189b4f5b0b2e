/*
 * One measurement in a separate process, so that its memory is measured separately. Arguments:
 * what, form, folder.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import Papa from 'papaparse'
import { runKeyCheck } from '../../src/core/key-import/check/key-check-task.ts'
import { readTask } from './key-file.ts'
import { secrets } from './task.ts'

const [, , what = '', form = '', folder = ''] = process.argv
const task = readTask(folder, form)

let most = 0
const before = process.memoryUsage().rss
const look = (): void => {
  most = Math.max(most, process.memoryUsage().rss)
}

const measures: Record<string, () => number> = {
  check: () => runKeyCheck({ ...task, ...secrets }, look).classified.sums.ready,
  split: () => {
    const text = readFileSync(path.join(folder, form), 'utf8')
    let lines = 0
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
    return lines
  },
  papaparse: () => {
    let rows = 0
    Papa.parse<string[]>(readFileSync(path.join(folder, form), 'utf8'), {
      step: () => {
        rows += 1
      },
    })
    return rows
  },
}
const started = performance.now()
const cpu = process.cpuUsage()
const count = measures[what]?.() ?? 0
const ms = performance.now() - started
const { user, system } = process.cpuUsage(cpu)
look()
process.stdout.write(
  JSON.stringify({
    ms,
    cpuMs: (user + system) / 1000,
    count,
    grownMB: Math.round((most - before) / 1e5) / 10,
  }),
)
