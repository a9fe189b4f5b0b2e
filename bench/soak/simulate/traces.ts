import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** The file with the events of a day. */
export const tracePath = (folder: string, seed: number): string => path.join(folder, `${seed}.txt`)

/** Compares the events of two simulations of the same days. */
export interface TwoTraces {
  /** The folders for the events of both. */
  readonly first: string
  readonly second: string
  /**
   * The first different lines of a day, null if both files are equal byte for byte. Deletes the
   * files.
   */
  difference(seed: number): string | null
  remove(): void
}

export function createTwoTraces(): TwoTraces {
  const [first, second] = ['first', 'second'].map((name) =>
    mkdtempSync(path.join(tmpdir(), `keydesk-trace-${name}-`)),
  ) as [string, string]
  return {
    first,
    second,
    difference(seed) {
      const files = [first, second].map((folder) => tracePath(folder, seed))
      const [one, other] = files.map((file) => readFileSync(file)) as [Buffer, Buffer]
      for (const file of files) rmSync(file)
      if (one.equals(other)) return null
      const [lines, others] = [one, other].map((bytes) => bytes.toString().split('\n')) as [
        string[],
        string[],
      ]
      const place = lines.findIndex((line, index) => line !== others[index])
      return `${lines[place] ?? 'no event'}, and the second time ${others[place] ?? 'no event'}`
    },
    remove() {
      for (const folder of [first, second]) rmSync(folder, { recursive: true, force: true })
    },
  }
}
