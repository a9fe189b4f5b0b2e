import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startConsole } from '../support/console-process.ts'
import { readDisk } from './disk.ts'
import { readLog } from './log.ts'
import type { Change } from './log.ts'
import { recordingEnvironment } from './shim.ts'
import type { Losses } from './supply.ts'

/**
 * The complete life of a console that works alone: since nothing outside it has changed, its power
 * can be cut at any of its changes afterwards, as often as wanted.
 */
export interface Recording<Said> {
  readonly changes: number
  /** Writes what a cut before this change leaves to a folder; returns what was said until then. */
  cut(
    at: number,
    place: string,
    below: (limit: number) => number,
  ): { said: Said[]; loss: keyof Losses }
  remove(): void
}

/** Runs a console until it exits, and records it. Its data folder can be empty or have content. */
export async function recordLife<Said>(
  file: string,
  options: { dataDir: string },
  shim: string,
): Promise<Recording<Said>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-power-'))
  const root = options.dataDir
  const [log, control, copy] = ['log', 'control', 'before'].map((name) =>
    path.join(folder, name),
  ) as [string, string, string]
  mkdirSync(root, { recursive: true })
  cpSync(root, copy, { recursive: true })
  if (!existsSync(copy)) mkdirSync(copy)
  writeFileSync(log, '')
  writeFileSync(control, Buffer.alloc(4))
  const life = startConsole<Said>(file, options, {
    supply: () => ({
      env: recordingEnvironment(shim, { root, log, control }),
      cutSoon: () => {},
      off: () => {},
    }),
  })
  for await (const _ of life.said);
  await life.killed()
  const changes = readLog(log)
  return {
    changes: changes.length,
    cut(at, place, below) {
      const disk = readDisk(root, copy)
      const made = changes.slice(0, at)
      for (const change of made) disk.record(change)
      return { said: saidIn<Said>(made), loss: disk.leave(place, below) }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function saidIn<Said>(changes: readonly Change[]): Said[] {
  const text = changes.flatMap((change) => (change.kind === 'say' ? [change.bytes] : []))
  return Buffer.concat(text)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Said)
}
