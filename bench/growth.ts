import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { drawCurves, fittedExponent } from './growth/curves.ts'
import type { Measured } from './growth/one.ts'
import { operations } from './growth/operations.ts'
import type { Operation } from './growth/operations.ts'

type Grown = {
  records: string
  expected: number
  exponent: number
  points: readonly (Measured & { records: number })[]
}

/**
 * How the processor time of each main operation grows with the number of records: at 10,000,
 * 100,000, a million and ten million of them, as far as they fit a disk of 10 GB, each in a separate
 * process, with memory, the size of the files and the fitted exponent beside the expected one. Draws
 * docs/pictures/growth.svg. Takes several hours.
 */
export default async function benchGrowth({
  log,
  sizes = [10_000, 100_000, 1_000_000, 10_000_000],
  only = Object.keys(operations),
  picture = path.join(import.meta.dirname, '..', 'docs', 'pictures', 'growth.svg'),
}: {
  log: (text: string) => void
  sizes?: readonly number[]
  /** The operations to measure; all of them unless given. */
  only?: readonly string[]
  /** Null draws nothing. */
  picture?: string | null
}): Promise<{ figures: Record<string, Grown> }> {
  const figures: Record<string, Grown> = {}
  for (const [name, { records, expected, most }] of Object.entries<Operation>(operations)) {
    if (!only.includes(name)) continue
    const points = sizes
      .filter((size) => size <= most)
      .map((size) => ({ records: size, ...measure(name, size) }))
    const exponent = fittedExponent(points)
    figures[name] = { records, expected, exponent, points }
    for (const { records: size, cpuMs, ms, memoryMB, filesMB } of points)
      log(
        `${name}, ${size.toLocaleString('en')} ${records}: ${round(cpuMs)} ms of processor, ` +
          `${round(ms)} ms, ${memoryMB} MB of memory, ${filesMB} MB of files`,
      )
    log(`${name}: grows like records ^ ${exponent}, expected ${expected}`)
  }
  if (picture !== null)
    writeFileSync(
      picture,
      drawCurves(Object.entries(figures).map(([name, { points }]) => ({ name, points }))),
    )
  return Promise.resolve({ figures })
}

const round = (ms: number): string => ms.toFixed(ms < 10 ? 1 : 0)

function measure(name: string, records: number): Measured {
  const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-bench-'))
  try {
    return JSON.parse(
      execFileSync(process.execPath, [
        path.join(import.meta.dirname, 'growth', 'one.ts'),
        name,
        String(records),
        folder,
      ]).toString(),
    ) as Measured
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
