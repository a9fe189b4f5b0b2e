import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

type Measured = {
  products: number
  perCpuSecond: number
  perSecond: number
  finishCpuMs: number
  residentMB: number
}

/**
 * Fills a mirror with a catalogue of several sizes, page by page as a full listing does, compared
 * with SQLite that inserts the same rows into a table without any index except its primary key.
 * Each runs in a separate process.
 */
export default async function benchIngest({
  log,
  sizes = [10_000, 100_000, 1_000_000],
}: {
  log: (text: string) => void
  sizes?: readonly number[]
}): Promise<{ figures: Record<string, Measured> }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-bench-'))
  const figures: Record<string, Measured> = {}
  try {
    for (const products of sizes) {
      for (const what of ['mirror', 'bare'] as const) {
        const file = path.join(folder, `${what}-${products}.db`)
        const measured = JSON.parse(
          execFileSync(process.execPath, [
            path.join(import.meta.dirname, 'ingest', 'one.ts'),
            what,
            String(products),
            file,
          ]).toString(),
        ) as Measured
        if (measured.products !== products)
          throw new Error(`${what} holds ${measured.products} of ${products} products`)
        figures[`${what} ${products}`] = measured
        log(
          `${what}, ${products.toLocaleString('en')} products: ` +
            `${measured.perCpuSecond.toLocaleString('en')} per second of CPU time ` +
            `(${measured.perSecond.toLocaleString('en')} by wall clock), ${measured.residentMB} ` +
            `MB resident, ${measured.finishCpuMs} ms for the work after a first listing`,
        )
        for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
      }
    }
    return { figures }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
