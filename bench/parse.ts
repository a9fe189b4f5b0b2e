import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createImportJournal, writeKeyFile } from './parse/key-file.ts'
import { measureWindow } from './parse/window.ts'
import type { WindowMeasured } from './parse/window.ts'

type Measured = { ms: number; cpuMs: number; count: number; grownMB: number }
type Figures = Record<
  string,
  {
    linesPerSecond: number
    /** The fairer figure on a busy machine. */ linesPerCpuSecond: number
    grownMB: number
  }
>

/**
 * Reads, cleans, classifies, fingerprints and deduplicates key files of a million lines from the
 * encrypted spool, compared with a plain line count and papaparse alone over the same bytes
 * unencrypted, each in a separate process. Then drops the CSV on the built console's page, to
 * measure how long its window is blocked.
 */
export default async function benchParse({
  log,
  lines = 1_000_000,
  inBrowser = true,
}: {
  log: (text: string) => void
  lines?: number
  /** Needs a build. */
  inBrowser?: boolean
}): Promise<{ lines: number; figures: Figures; window: WindowMeasured | null }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-bench-'))
  try {
    createImportJournal(folder)
    const figures: Figures = {}
    for (const form of ['txt', 'csv'] as const) {
      writeKeyFile(folder, form, lines)
      for (const what of ['check', 'split', ...(form === 'csv' ? ['papaparse'] : [])]) {
        const { ms, cpuMs, count, grownMB } = JSON.parse(
          execFileSync(process.execPath, [
            path.join(import.meta.dirname, 'parse', 'one.ts'),
            what,
            form,
            folder,
          ]).toString(),
        ) as Measured
        if (count < lines)
          throw new Error(`${what} of the ${form} found ${count} of ${lines} lines`)
        figures[`${form} ${what}`] = {
          linesPerSecond: Math.round(lines / (ms / 1000)),
          linesPerCpuSecond: Math.round(lines / (cpuMs / 1000)),
          grownMB,
        }
        log(
          `${form} ${what}: ${Math.round(lines / (ms / 1000)).toLocaleString('en')} lines/s ` +
            `(${Math.round(lines / (cpuMs / 1000)).toLocaleString('en')} per second of CPU ` +
            `time), memory grew by ${grownMB} MB`,
        )
      }
    }
    const window = inBrowser ? await measureWindow(path.join(folder, 'csv'), lines) : null
    log(
      window === null
        ? 'window: not measured, because nothing is built'
        : `window: ${lines.toLocaleString('en')} lines uploaded and classified in ` +
            `${(window.ms / 1000).toFixed(1)} s; longest block ${window.longestBlockMs} ms ` +
            `(${window.blocks} of 50 ms or more), longest timer delay ${window.longestGapMs} ms`,
    )
    return { lines, figures, window }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
