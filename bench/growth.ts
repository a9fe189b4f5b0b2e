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
  const wanted = Object.entries<Operation>(operations).filter(([name]) => only.includes(name))
  const points: Record<string, Grown['points'][number][]> = {}
  for (const group of sharingFiles(wanted))
    for (const size of sizes.filter((records) => records <= group[0][1].most))
      for (const { name, ...measured } of measure(group, size, log))
        (points[name] ??= []).push({ records: size, ...measured })
  for (const [name, { records, expected }] of wanted) {
    const exponent = fittedExponent(points[name] ?? [])
    figures[name] = { records, expected, exponent, points: points[name] ?? [] }
    log(`${name}: grows like records ^ ${exponent}, expected ${expected}`)
  }
  if (picture !== null)
    writeFileSync(
      picture,
      drawCurves(Object.entries(figures).map(([name, { points }]) => ({ name, points }))),
    )
  return Promise.resolve({ figures })
}

type Named = readonly [name: string, operation: Operation]

/** The operations in groups that measure the same files. */
function sharingFiles(wanted: readonly Named[]): [Named, ...Named[]][] {
  const groups: [Named, ...Named[]][] = []
  for (const named of wanted) {
    const { fill } = named[1]
    const group = fill && groups.find(([[, operation]]) => operation.fill === fill)
    if (group === undefined) groups.push([named])
    else group.push(named)
  }
  return groups
}

const round = (ms: number): string => ms.toFixed(ms < 10 ? 1 : 0)

function measure(
  group: readonly Named[],
  records: number,
  log: (text: string) => void,
): (Measured & { name: string })[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-bench-'))
  const step = (what: 'fill' | 'measure', name: string): string =>
    execFileSync(process.execPath, [
      path.join(import.meta.dirname, 'growth', 'one.ts'),
      what,
      name,
      String(records),
      folder,
    ]).toString()
  try {
    return group.map(([name, operation], index) => {
      if (index === 0 && operation.fill !== undefined) step('fill', name)
      const measured = JSON.parse(step('measure', name)) as Measured
      log(
        `${name}, ${records.toLocaleString('en')} ${operation.records}: ` +
          `${round(measured.cpuMs)} ms of processor, ${round(measured.ms)} ms, ` +
          `${measured.memoryMB} MB of memory, ${measured.filesMB} MB of files`,
      )
      return { name, ...measured }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
