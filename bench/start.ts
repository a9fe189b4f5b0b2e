import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildServer } from '../scripts/lib/build-separately.mjs'
import { root } from '../scripts/lib/paths.mjs'
import { cpuMsOf, startProgram } from './backend/processes.ts'
import { fillLedger } from './start/fill-ledger.ts'

/** Node's options in the script `npm run sandbox`. */
function sandboxFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: { sandbox: string }
  }
  return scripts.sandbox.split(' ').filter((part) => part.startsWith('--'))
}

type Started = {
  medianMs: number
  fastestMs: number
  /** CPU time until the ready line, the lowest of all rounds: other load can't lengthen it. */ cpuMs:
    | number
    | null
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Starts a program several times and measures from its start to its first line. */
async function timeToReady(rounds: number, args: readonly string[]): Promise<Started> {
  const took: number[] = []
  const cpu: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const running = await startProgram(args)
    took.push(running.readyMs)
    const used = cpuMsOf(running.pid)
    if (used !== null) cpu.push(used)
    await running.stop()
  }
  return {
    medianMs: Math.round(median(took)),
    fastestMs: Math.round(Math.min(...took)),
    cpuMs: cpu.length === 0 ? null : Math.min(...cpu),
  }
}

/**
 * From the start of the service to its ready line, on existing databases of several sizes, as built
 * and from its sources, compared with an empty Node and one that opens the same database.
 */
export default async function benchStart({
  log,
  sizes = [2000, 100_000],
  ledgerEntries = 100_000,
  rounds = 7,
  build = true,
}: {
  log: (text: string) => void
  sizes?: readonly number[]
  ledgerEntries?: number
  rounds?: number
  /** Builds the service first: `npm run sandbox` runs the built one only if it is current. */
  build?: boolean
}): Promise<{ rounds: number; figures: Record<string, Started> }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-bench-'))
  const figures: Record<string, Started> = {}
  async function measure(name: string, args: readonly string[]): Promise<void> {
    const started = await timeToReady(rounds, args)
    figures[name] = started
    log(
      `${name}: ready in ${started.medianMs} ms (median of ${rounds}), ` +
        `${started.fastestMs} at best, ${started.cpuMs ?? '?'} ms of CPU time`,
    )
  }
  async function measureService(what: string, data: string): Promise<void> {
    const options = ['--data', data, '--port', '0']
    const opens = path.join(folder, 'open.mjs')
    writeFileSync(
      opens,
      `import Database from ${JSON.stringify(path.join(root, 'node_modules/better-sqlite3/lib/index.js'))}
      const database = new Database(${JSON.stringify(path.join(data, 'keydesk.sqlite'))})
      console.log(JSON.stringify(database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()))`,
    )
    await measure(`${what}: better-sqlite3 opens the database`, [opens])
    await measure(`${what}: npm run sandbox, without npm`, [
      ...sandboxFlags(),
      path.join(root, 'scripts', 'sandbox.mjs'),
      ...options,
    ])
    await measure(`${what}: from its sources`, [path.join(root, 'server', 'main.ts'), ...options])
  }
  try {
    process.chdir(root)
    if (build) await buildServer()
    await measure('an empty Node', ['-e', 'console.log(0)'])
    for (const products of sizes) {
      const data = path.join(folder, String(products))
      const seeding = await startProgram([
        path.join(root, 'scripts', 'sandbox.mjs'),
        '--data',
        data,
        '--port',
        '0',
        '--products',
        String(products),
      ])
      log(
        `${products.toLocaleString('en')} products: seeded, first ready after ` +
          `${Math.round(seeding.readyMs).toLocaleString('en')} ms`,
      )
      await seeding.stop()
      await measureService(`${products.toLocaleString('en')} products`, data)
      if (products !== sizes[0]) continue
      fillLedger(data, ledgerEntries)
      await measureService(
        `${products.toLocaleString('en')} products and ${ledgerEntries.toLocaleString('en')} ledger entries`,
        data,
      )
    }
    return { rounds, figures }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
