/*
 * One step of `npm run bench -- growth` in a process of its own: `node one.ts fill OPERATION RECORDS
 * FOLDER` writes the records of an operation; with `measure` it writes one line of JSON.
 */
import { folderSize } from '../../src/core/backup/folder.ts'
import { operations, processorMs } from './operations.ts'
import type { Operation } from './operations.ts'

export type Measured = {
  /** Processor time of one run, in milliseconds. */
  cpuMs: number
  /** Time of one run by the clock, in milliseconds. */
  ms: number
  /** The most memory that the measuring process had, in MB. */
  memoryMB: number
  /** The files of the records, in MB. */
  filesMB: number
}

const [step, name = '', records = '', folder = ''] = process.argv.slice(2)
const operation = (operations as Record<string, Operation>)[name]
if (operation === undefined) throw new Error(`There is no operation ${name}.`)
if (step === 'fill') {
  operation.fill?.(folder, Number(records))
  process.exit(0)
}
const { runs, work, pid, end } = await operation.prepare(folder, Number(records))
const [cpu, wall] = [processorMs(pid), performance.now()]
for (let run = 0; run < runs; run += 1) await work(run)
const measured: Measured = {
  cpuMs: (processorMs(pid) - cpu) / runs,
  ms: (performance.now() - wall) / runs,
  memoryMB: Math.round(process.resourceUsage().maxRSS / 1000),
  filesMB: Math.round(folderSize(folder) / 1e6),
}
await end?.()
process.stdout.write(JSON.stringify(measured))
process.exit(0)
