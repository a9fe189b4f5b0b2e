import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { seeded } from '../../e2e/support/seeded.ts'
import { startConsole } from './support/console-process.ts'
import type { PowerCuts } from './support/power-cuts.ts'
import type { ConsoleOptions } from './vault/console.ts'

export const defaultRounds = 40

type Options = {
  rounds: number
  seed: number
  log: (text: string) => void
  killsARound?: number
  cuts?: PowerCuts
}
export type VaultSoak = {
  lost: number
  twice: number
  wrong: number
  kills: number
  midway: number
  kept: number
  rekeyed: number
  exported: number
  entriesLeft: number
}
type Said = {
  ready?: boolean
  kept?: string
  found?: string
  rekeyed?: boolean
  exported?: number
  wrong?: string[]
  rekeying?: boolean
  entry?: string
}

const consoleFile = path.join(import.meta.dirname, 'vault', 'console.ts')

/** Runs one console and reads its reports. `killAfterMs`: SIGKILL this long after it is ready. */
async function runConsole(
  options: ConsoleOptions,
  killAfterMs: number | null,
  hear: (said: Said) => void,
  cuts: PowerCuts | null = null,
): Promise<void> {
  const running = startConsole<Said>(consoleFile, options, cuts)
  for await (const said of running.said) {
    if (said.ready === true && killAfterMs !== null) running.kill(killAfterMs)
    hear(said)
  }
  await running.killed()
}

/**
 * A vault that is killed at random while keys are stored, everything is re-encrypted under new
 * keys, the vault is locked in the middle, and exports are made. At the end of each round every key
 * that was reported as stored can be opened and is unchanged (`lost`, `wrong`), the re-keying has
 * finished, and the keychain contains only the vault's current key (`entriesLeft`). `midway` of the
 * `kills` interrupted a re-keying that had to resume.
 */
export default async function soakVault({
  rounds,
  seed,
  log,
  killsARound = 8,
  cuts,
}: Options): Promise<VaultSoak> {
  const below = seeded(seed)
  const result: VaultSoak = {
    lost: 0,
    twice: 0,
    wrong: 0,
    kills: 0,
    midway: 0,
    kept: 0,
    rekeyed: 0,
    exported: 0,
    entriesLeft: 0,
  }
  for (let round = 1; round <= rounds; round += 1) {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'keydesk-vault-'))
    const keychainFile = path.join(dataDir, '..', `${path.basename(dataDir)}.keychain`)
    const kept = new Set<string>()
    try {
      for (let kill = 0; kill < killsARound; kill += 1) {
        await runConsole(
          { dataDir, keychainFile, seed: below(2 ** 30), check: false },
          below(400),
          (said) => {
            if (said.kept !== undefined) kept.add(said.kept)
            if (said.rekeyed === true) result.rekeyed += 1
            if (said.exported !== undefined) result.exported += 1
          },
          cuts,
        )
        result.kills += 1
        if (entriesOf(keychainFile).length > 1) result.midway += 1
      }
      const found = new Set<string>()
      let last: Said = {}
      await runConsole({ dataDir, keychainFile, seed: 0, check: true }, null, (said) => {
        if (said.found !== undefined) found.add(said.found)
        if (said.wrong !== undefined) last = said
      })
      result.kept += found.size
      result.lost += [...kept].filter((id) => !found.has(id)).length
      result.wrong += (last.wrong?.length ?? 1) + Number(last.rekeying !== false)
      const left = entriesOf(keychainFile).filter((entry) => entry !== last.entry).length
      result.entriesLeft += left
      result.wrong += left
      for (const what of last.wrong ?? []) log(`round ${round}: ${what} has changed`)
      log(
        `round ${round}: ${result.kept} keys, ${result.kills} kills, ${result.midway} of ` +
          `them midway, ${result.rekeyed} re-keyings`,
      )
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
      rmSync(keychainFile, { force: true })
    }
  }
  return result
}

const entriesOf = (keychainFile: string): string[] =>
  existsSync(keychainFile)
    ? Object.keys(JSON.parse(readFileSync(keychainFile, 'utf8')) as object)
    : []
