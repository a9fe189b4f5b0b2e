import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { measurePainted } from './search/painted.ts'
import type { Painted } from './search/painted.ts'
import { fillMirror } from './support/mirror.ts'

type Measured = {
  products: number
  queries: number
  p50: number
  p95: number
  p99: number
  cpuP95: number
  countsCpuP95: number
  firstAnswerMs: number
  residentMB: number
  afterCountsMB: number
  found: number
}

/**
 * Types queries letter by letter, with typos, over a mirror of a million products, compared with
 * MiniSearch (with typo tolerance) and FlexSearch (without) over the names of a catalogue in
 * memory. These get only `peerProducts` products, because a million takes them minutes and
 * gigabytes. Each runs in a separate process. Then measures in a browser, from the key press to the
 * painted rows.
 */
export default async function benchSearch({
  log,
  products = 1_000_000,
  peerProducts = 200_000,
  mirror,
  inBrowser = true,
}: {
  log: (text: string) => void
  products?: number
  peerProducts?: number
  /** An existing mirror to be searched instead of a new one. */
  mirror?: string
  /** Needs a build. */
  inBrowser?: boolean
}): Promise<{ figures: Record<string, Measured>; painted: Painted | null }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-bench-'))
  const figures: Record<string, Measured> = {}
  try {
    const file = mirror ?? path.join(folder, 'mirror.db')
    if (mirror === undefined) (await fillMirror(file, products)).db.close()
    for (const [what, size] of [
      ['keydesk', products],
      ['minisearch', peerProducts],
      ['flexsearch', peerProducts],
    ] as const) {
      const measured = JSON.parse(
        execFileSync(
          process.execPath,
          [path.join(import.meta.dirname, 'search', 'one.ts'), what, String(size), file],
          { maxBuffer: 1e8 },
        ).toString(),
      ) as Measured
      figures[what] = measured
      log(
        `${what}, ${size.toLocaleString('en')} products: p50 ${measured.p50} ms, p95 ` +
          `${measured.p95}, p99 ${measured.p99} (CPU p95 ${measured.cpuP95}), first result ` +
          `${measured.firstAnswerMs} ms after the start, ${measured.residentMB} MB ` +
          `resident${
            what === 'keydesk'
              ? `; filter counts of large results: CPU p95 ${measured.countsCpuP95} ms, ` +
                `${measured.afterCountsMB} MB after them`
              : ''
          }`,
      )
    }
    const painted = inBrowser ? await measurePainted(file) : null
    if (painted !== null)
      log(
        `from the key press to painted rows, ${painted.keys} keys: p50 ${painted.rows.p50} ` +
          `ms, p95 ${painted.rows.p95}, longest ${painted.rows.longest}; on a plain page p50 ` +
          `${painted.bare.p50} ms, p95 ${painted.bare.p95}, longest ${painted.bare.longest}; ` +
          `to the filter counts after the end of a query p50 ${painted.counts.p50} ms, longest ` +
          `${painted.counts.longest}${
            painted.taken === null
              ? ''
              : `; the host gave ${Math.round(painted.taken * 100)} % of the requested CPU time ` +
                'to other machines'
          }`,
      )
    return { figures, painted }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
