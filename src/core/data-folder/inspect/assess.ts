import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { storedAccountIds } from '../../accounts/accounts.ts'
import type { FeatureSchema } from '../../mirror/schema.ts'
import { hasStoredKey } from '../../vault/vault.ts'
import { isSafetyCopyOf, readSafetyCopy } from '../keep/safety-copy.ts'
import { inspectFile, undoInterruptedChange } from './file-state.ts'
import { StartProblem } from './start-problem.ts'

/** The database that all accounts share. */
export const MAIN_DATABASE = 'keydesk.db'
/** Its tables without which no other file makes sense. */
const ESSENTIAL = ['sqlite_schema', 'account', 'vault_key', 'setting']
const JOURNAL = /^(.+)\.db$/

/** The accounts that have a journal, whether or not the database lists them. */
function accountsWithJournal(dataDir: string): string[] {
  const folder = join(dataDir, 'journals')
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  return readdirSync(folder)
    .flatMap((name) => JOURNAL.exec(name)?.[1] ?? [])
    .toSorted()
}

/**
 * Checks the data folder before anything is written to it, except that SQLite undoes an interrupted
 * change. Throws a {@link StartProblem} when Keydesk must not start with it: the database is damaged
 * or newer, or it is missing, empty or another one although the folder has an account's files.
 *
 * @returns whether the safety copy matches the database
 */
export function assertUsable(
  dataDir: string,
  schemas: readonly FeatureSchema[],
): { isCopied: boolean } {
  undoInterruptedChange(join(dataDir, MAIN_DATABASE))
  const found: { ids: string[] | null; hasKey: boolean; isCopied: boolean } = {
    ids: null,
    hasKey: false,
    isCopied: false,
  }
  const { state, detail } = inspectFile(
    join(dataDir, MAIN_DATABASE),
    schemas,
    ESSENTIAL,
    (database) => {
      found.ids = storedAccountIds(database)
      found.hasKey = hasStoredKey(database)
      found.isCopied = isSafetyCopyOf(dataDir, database)
    },
  )
  if (state === 'ok' && found.isCopied) return { isCopied: true }
  const copy = readSafetyCopy(dataDir)
  const journals = accountsWithJournal(dataDir)
  const isUsed =
    journals.length > 0 || (copy !== null && (copy.accounts.length > 0 || copy.vaultKey !== null))
  const problem = (kind: StartProblem['kind']): StartProblem =>
    new StartProblem(kind, MAIN_DATABASE, detail)
  switch (state) {
    case 'absent':
    case 'empty':
      if (isUsed) throw problem('missing')
      return { isCopied: false }
    case 'ok': {
      const known = new Set(found.ids)
      if (copy !== null && copy.accounts.some(({ id }) => !known.has(id)))
        throw problem(known.size === 0 ? 'wiped' : 'incomplete')
      if (copy === null && journals.length > 0 && known.size === 0 && !found.hasKey)
        throw problem('wiped')
      if (copy?.vaultKey != null && found.ids === null) throw problem('wiped')
      return { isCopied: false }
    }
    case 'truncated':
    case 'foreign':
    case 'damaged':
      throw problem('damaged')
    case 'newer':
      throw problem('newer')
    case 'unreadable':
      throw problem('unreadable')
  }
}
