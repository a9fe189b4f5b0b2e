/**
 * A console that works alone with its vault or a backup: one life is recorded, its power is cut at
 * many of its changes, and each time the folder is opened and compared with the acknowledged
 * answers.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { CoreServices } from '../../../src/core/core-services.ts'
import { isFailure } from '../../../src/core/failure.ts'
import { openServices, readKeys, wrongPlans } from '../vault/stored-keys.ts'
import type { ConsoleOptions, Said } from './console.ts'
import { withoutKeychain } from './console.ts'
import { recordLife } from './recording.ts'
import type { Recording } from './recording.ts'
import type { Losses } from './supply.ts'

type Below = (limit: number) => number
export type Sums = { lost: number; twice: number; wrong: number }
type Parts = {
  shim: string
  cuts: number
  below: Below
  losses: Losses
  log: (text: string) => void
  /** Plants a defect that must be found. */
  hasty?: boolean
}
/** What must be in a folder: the answers until the cut. */
type Facts = {
  accounts: boolean
  stored: ReadonlySet<string>
  planned: boolean
  /** The vault's passphrase; null if it has none yet. */
  passphrase: string | null
  /** A passphrase that was being set. */
  next: string | null
}

const consoleFile = path.join(import.meta.dirname, 'console.ts')
const PASSPHRASES = ['first', 'second', 'third', 'fourth']

function factsOf(said: readonly Said[]): Facts {
  const facts = {
    accounts: false,
    planned: false,
    passphrase: null as string | null,
    next: null as string | null,
  }
  const stored = new Set<string>()
  for (const each of said) {
    if ('accounts' in each) facts.accounts = true
    if ('protecting' in each) facts.next = each.protecting
    if ('protectedBy' in each) [facts.passphrase, facts.next] = [each.protectedBy, null]
    if ('planned' in each) facts.planned = true
    if ('stored' in each) stored.add(each.stored)
  }
  return { ...facts, stored }
}

/** Unlocks the vault with the passphrase it must have; false if it has none. */
async function unlock(ground: CoreServices, { passphrase, next }: Facts): Promise<boolean> {
  if (ground.vault.state().state === 'unset') {
    if (passphrase !== null) throw new Error('the vault has no passphrase')
    return false
  }
  for (const each of [next, passphrase]) {
    if (each === null) continue
    try {
      await ground.vault.unlock(each)
      return true
    } catch (error) {
      if (!isFailure(error, 'WRONG_PASSPHRASE') || each === passphrase) throw error
    }
  }
  throw new Error('no passphrase opens the vault')
}

/** Opens a folder, and compares it with what must be in it. */
async function openAndCompare(
  dataDir: string,
  facts: Facts,
): Promise<Sums & { found: Set<string> }> {
  const host = withoutKeychain({ dataDir, keychainFile: '' })
  const ground = openServices(host)
  try {
    await ground.start()
    const found = new Set<string>()
    const sums = { lost: 0, twice: 0, wrong: 0 }
    if (facts.accounts && ground.context.accounts.list().length === 0) sums.lost += 1
    if (!facts.accounts) return { ...sums, found }
    if (!(await unlock(ground, facts))) return { ...sums, found }
    await ground.vault.resumeRekeying()
    const keys = readKeys(ground)
    for (const key of keys.found) found.add(key)
    sums.lost += [...facts.stored].filter((key) => !found.has(key)).length
    sums.wrong += keys.wrong.length + Number(ground.vault.state().rekeying)
    if (facts.planned) sums.wrong += wrongPlans(ground, dataDir).length
    return { ...sums, found }
  } finally {
    ground.quiet()
    ground.close()
  }
}

/** Names of files that a console set aside because they were damaged. */
const damagedIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.includes('.damaged-'),
  )

type Check = (place: string, said: readonly Said[]) => Promise<Sums>

async function cutOften(
  name: string,
  recording: Recording<Said>,
  { cuts, below, losses, log }: Parts,
  check: Check,
): Promise<Sums> {
  const sums = { lost: 0, twice: 0, wrong: 0 }
  const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-power-'))
  try {
    for (let cut = 0; cut < cuts; cut += 1) {
      const at = 1 + below(recording.changes)
      const place = path.join(folder, String(cut))
      const { said, loss } = recording.cut(at, place, below)
      losses[loss] += 1
      const found = await check(place, said).catch((error: unknown) => {
        log(`${name}, cut at ${at} of ${recording.changes}, ${loss}: ${String(error)}`)
        return { lost: 0, twice: 0, wrong: 1 }
      })
      const damaged = damagedIn(place)
      if (found.lost + found.twice + found.wrong + damaged.length > 0)
        log(
          `${name}, cut at ${at} of ${recording.changes}, ${loss}: ${JSON.stringify(found)} ` +
            `${damaged.join(', ')}`,
        )
      sums.lost += found.lost
      sums.twice += found.twice
      sums.wrong += found.wrong + damaged.length
      rmSync(place, { recursive: true, force: true })
    }
    return sums
  } finally {
    recording.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

const checkFolder: Check = async (place, said) => openAndCompare(place, factsOf(said))

/** Set-up, unlocking, re-keying and a change of the passphrase. */
export async function cutVaults(parts: Parts): Promise<Sums> {
  const dataDir = path.join(mkdtempSync(path.join(tmpdir(), 'keydesk-power-')), 'data')
  try {
    const work = { ...options(dataDir, 'vault'), hasty: parts.hasty === true }
    const recording = await recordLife<Said>(consoleFile, work, parts.shim)
    return await cutOften('vault', recording, parts, checkFolder)
  } finally {
    rmSync(path.dirname(dataDir), { recursive: true, force: true })
  }
}

const options = (dataDir: string, work: ConsoleOptions['work']): ConsoleOptions => ({
  dataDir,
  keychainFile: '',
  work,
  passphrases: PASSPHRASES,
})

const isBackedUp = (key: string): boolean => / before-\d+$/.test(key)
const isLater = (key: string): boolean => / after-\d+$/.test(key)

/** Everything before the restoration, or exactly the backup's content. */
const checkRestoration: Check = async (place, said) => {
  const facts = factsOf(said)
  const restoring = said.some((each) => 'restoring' in each)
  const restored = said.some((each) => 'restored' in each)
  if (!restoring) return openAndCompare(place, facts)
  const backedUp: Facts = {
    ...facts,
    stored: new Set([...facts.stored].filter(isBackedUp)),
    passphrase: PASSPHRASES[0] ?? '',
    next: facts.passphrase,
  }
  const { found, ...sums } = await openAndCompare(
    place,
    restored ? { ...backedUp, next: null } : backedUp,
  )
  const later = [...found].filter(isLater).length
  const isReplaced = readdirSync(place).some((name) => name.startsWith('replaced-'))
  sums.wrong += Number(restored && !isReplaced) + (isReplaced ? later : 0)
  if (isReplaced) return addUp(sums, await checkReplaced(place, facts))
  return { ...sums, lost: sums.lost + facts.stored.size - found.size }
}

export const addUp = (a: Sums, b: Sums): Sums => ({
  lost: a.lost + b.lost,
  twice: a.twice + b.twice,
  wrong: a.wrong + b.wrong,
})

/** The replaced data is complete in its own folder. */
async function checkReplaced(place: string, facts: Facts): Promise<Sums> {
  const name = readdirSync(place).find((each) => each.startsWith('replaced-')) ?? ''
  const { found: _, ...sums } = await openAndCompare(path.join(place, name), facts)
  return sums
}

/** A backup, its restoration, and the start that replaces the data. */
export async function cutBackups(parts: Parts): Promise<Sums> {
  const dataDir = path.join(mkdtempSync(path.join(tmpdir(), 'keydesk-power-')), 'data')
  const half = Math.ceil(parts.cuts / 2)
  try {
    const first = await recordLife<Said>(consoleFile, options(dataDir, 'backup'), parts.shim)
    const before = first.cut(first.changes, `${dataDir}-unused`, parts.below).said
    const sums = await cutOften('backup', first, { ...parts, cuts: half }, checkRestoration)
    const second = await recordLife<Said>(consoleFile, options(dataDir, 'restart'), parts.shim)
    return addUp(
      sums,
      await cutOften(
        'restoration',
        second,
        { ...parts, cuts: parts.cuts - half },
        async (place, said) => {
          const { stored } = factsOf(said)
          const sumsOf = await checkRestoration(place, before)
          return stored.size === 0
            ? sumsOf
            : addUp(
                sumsOf,
                await openAndCompare(place, {
                  ...factsOf(before),
                  stored,
                  passphrase: PASSPHRASES[0] ?? '',
                  next: null,
                }),
              )
        },
      ),
    )
  } finally {
    rmSync(path.dirname(dataDir), { recursive: true, force: true })
  }
}
