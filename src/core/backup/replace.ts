import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { REPLACED, WORK, dataEntries } from './folder.ts'

const markSchema = z.object({
  /** The folder that takes what was there. */
  aside: z.string().regex(/^replaced-[0-9TZ-]+$/),
  madeAt: z.number().int(),
  version: z.string(),
  files: z.number().int(),
  bytes: z.number().int(),
  accounts: z.array(z.object({ name: z.string(), role: z.string(), mode: z.string() })),
})
export type ReplaceMark = z.infer<typeof markSchema>

/** Where the new data lies until it takes its place. */
export const newData = (dataDir: string): string => join(dataDir, WORK, 'new')
const markPath = (dataDir: string): string => join(dataDir, WORK, 'ready')
const movedPath = (dataDir: string): string => join(dataDir, WORK, 'moved')

/** The name of a folder for what is replaced now; names sort by time. */
export const asideName = (now: number): string =>
  `${REPLACED}${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z`

function writeSafely(path: string, text: string): void {
  const beside = `${path}.part`
  const file = openSync(beside, 'w', 0o600)
  writeSync(file, text)
  fsyncSync(file)
  closeSync(file)
  renameSync(beside, path)
}

/** From now on the new data takes the place of the present at the next start. */
export const markReady = (dataDir: string, mark: ReplaceMark): void =>
  writeSafely(markPath(dataDir), JSON.stringify(mark))

/** What takes the place of the present data at the next start; null for nothing. */
export function readyMark(dataDir: string): ReplaceMark | null {
  try {
    return markSchema.parse(JSON.parse(readFileSync(markPath(dataDir), 'utf8')))
  } catch {
    return null
  }
}

/**
 * Puts checked data in the place of the present, before anything of it is opened; what was there
 * goes into a folder of its own. A kill anywhere is made good by the next call: what was there
 * leaves whole, then the new comes in whole. Without a mark everything unfinished is cleared away
 * and the data stays. `step` is called before each move (tests).
 */
export function replaceAtStart(
  dataDir: string,
  step: (what: string) => void = () => {},
): ReplaceMark | null {
  const mark = readyMark(dataDir)
  if (mark === null) {
    rmSync(join(dataDir, WORK), { recursive: true, force: true })
    return null
  }
  const aside = join(dataDir, mark.aside)
  if (!existsSync(movedPath(dataDir))) {
    mkdirSync(aside, { recursive: true, mode: 0o700 })
    for (const name of dataEntries(dataDir)) {
      step(`out ${name}`)
      renameSync(join(dataDir, name), join(aside, name))
    }
    step('moved')
    writeSafely(movedPath(dataDir), '')
  }
  for (const name of readdirSync(newData(dataDir))) {
    step(`in ${name}`)
    renameSync(join(newData(dataDir), name), join(dataDir, name))
  }
  step('done')
  // The mark goes first: without it nothing is moved any more.
  rmSync(markPath(dataDir))
  rmSync(join(dataDir, WORK), { recursive: true, force: true })
  return mark
}
