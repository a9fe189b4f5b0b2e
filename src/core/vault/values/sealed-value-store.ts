import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { AccountRegistry, Mirrors, ReencryptFiles } from '../../context.ts'
import type { FeatureSchema, SealedKind } from '../../mirror/schema.ts'
import type { ReencryptResult, SealedValueStore } from '../parts.ts'
import { countSealed, exportedValues, reencryptDatabase } from './sealed-values.ts'
import type { SealedValue } from './sealed-values.ts'

type Parts = {
  dataDir: string
  mirrors: Mirrors
  schemas: readonly FeatureSchema[]
  reencryptFiles: readonly ReencryptFiles[]
  accounts: Pick<AccountRegistry, 'list' | 'summary'> & {
    restart(accountId: string, between: () => void): Promise<void>
  }
  /** Removes the copies of the data from before updates. */
  removeUpdateBackups: () => void
}

/** A copy of a database that is kept next to it. */
const COPY = /\.(?:before-update|damaged(?:-[\dTZ-]+)?(?:-wal)?|damaged[^/]*\.copy(?:-wal|-shm)?)$/

/**
 * Copies of databases in the data folder, by relative path: from before updates, and damaged ones
 * that were set aside.
 */
function copiesIn(dataDir: string): string[] {
  return ['', 'mirrors', 'catalogues', 'journals'].flatMap((folder) =>
    (existsSync(join(dataDir, folder)) ? readdirSync(join(dataDir, folder)) : [])
      .filter((name) => COPY.test(name))
      .map((name) => join(folder, name)),
  )
}

/**
 * All encrypted values in the data folder: the columns that the features' tables declare, and the
 * files that features manage themselves.
 */
export function createSealedValueStore({
  dataDir,
  mirrors,
  schemas,
  reencryptFiles,
  accounts,
  removeUpdateBackups,
}: Parts) {
  const ids = (): string[] => accounts.list().map(({ id }) => id)
  const counts = accounts.summary('sealed', [], (accountId): [SealedKind, number][] =>
    mirrors.glance(accountId, (database) => [...countSealed(database, schemas)]),
  )
  const keysOf = (accountId: string): number =>
    counts(accountId).reduce((all, [kind, count]) => all + (isKey(kind) ? count : 0), 0)
  const stock: SealedValueStore = {
    count: () => ids().reduce((sum, id) => sum + keysOf(id), 0),
    accounts: ids,
    async reencrypt(accountId, reseal) {
      const sum = { values: 0, unreadable: 0 }
      const add = ({ values, unreadable }: ReencryptResult): void => {
        sum.values += values
        sum.unreadable += unreadable
      }
      await accounts.restart(accountId, () => {
        add(reencryptDatabase(mirrors.database(accountId), schemas, accountId, reseal))
        for (const each of reencryptFiles) add(each(dataDir, accountId, reseal))
      })
      return sum
    },
    removeCopies: () => {
      for (const path of copiesIn(dataDir)) rmSync(join(dataDir, path), { force: true })
      removeUpdateBackups()
    },
  }
  return {
    ...stock,
    counts,
    /** Delivered and withdrawn keys of one account. */
    keysOf,
    exported: (accountId: string): SealedValue[] =>
      mirrors.glance(accountId, (database) => [...exportedValues(database, schemas)]),
  }
}
export type SealedValues = ReturnType<typeof createSealedValueStore>

const isKey = (kind: SealedKind): boolean => kind === 'delivered-key' || kind === 'withdrawn-key'
