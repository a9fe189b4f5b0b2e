import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { openFrames } from '../src/core/key-import/spool/frames.ts'
import { spoolOf } from '../src/core/key-import/spool/spool-files.ts'
import { importsSchemas } from '../src/core/key-import/key-import.ts'
import { secrets } from './parse/task.ts'
import type { WrittenTask } from './parse/task.ts'
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

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Key files of a million different lines: plain, and as a CSV of two offers. */
function writeFile(folder: string, form: 'txt' | 'csv', lines: number): void {
  let state = 7
  const random = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
  const group = (): string => Array.from({ length: 5 }, () => alphabet[random() % 32]).join('')
  const task: WrittenTask = {
    kind: 'check',
    accountId: 'acc',
    sendsRepeats: false,
    importId: form,
    folder: path.join(folder, `spool-${form}`),
    journal: path.join(folder, 'journal.db'),
    offers: ['a', 'b'].map((name) => ({
      offerId: `off_${name}`,
      productId: `1000${name}`,
      name: `Game ${name}`,
      platform: 'Steam',
      region: 'Global',
      deliveryType: 'key',
      stock: 0,
    })),
    files: [
      {
        fileId: 'f',
        position: 0,
        name: `keys.${form}`,
        fixed: {},
        offerId: form === 'txt' ? 'off_a' : null,
        read: null,
        pictures: null,
        chosen: [],
        included: [],
      },
    ],
  }
  mkdirSync(task.folder)
  const { path: spool, key } = spoolOf({ ...task, ...secrets }, 'f')
  const frames = openFrames(spool, key, true)
  let piece = form === 'csv' ? 'sku;code\n' : ''
  const flush = (): void => {
    frames.append(Buffer.from(piece))
    writeFileSync(path.join(folder, form), piece, { flag: 'a' })
    piece = ''
  }
  for (let line = 0; line < lines; line += 1) {
    piece += `${form === 'csv' ? `${line % 3 === 0 ? 'off_a' : '1000b'};` : ''}${group()}-${group()}-${group()}\n`
    if (piece.length > 1_000_000) flush()
  }
  flush()
  frames.finish()
  writeFileSync(path.join(folder, `${form}.json`), JSON.stringify(task))
}

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
    const db = new BetterSqlite3(path.join(folder, 'journal.db'))
    for (const step of importsSchemas.flatMap(({ place, steps }) =>
      place === 'journal' ? steps : [],
    ))
      db.exec(step)
    db.close()
    const figures: Figures = {}
    for (const form of ['txt', 'csv'] as const) {
      writeFile(folder, form, lines)
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
