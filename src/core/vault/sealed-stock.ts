import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Account } from '../../contract/accounts.ts'
import type { Mirrors, Reencrypt } from '../context.ts'
import type { FeatureSchema, SealedKind } from '../mirror/schema.ts'
import type { Resealed, SealedStock } from './parts.ts'
import { countSealed, exportedValues, resealDatabase } from './sealed-values.ts'
import type { SealedValue } from './sealed-values.ts'

/** Encrypts again the values that a feature stores in its own files. */
export type FileReseal = (accountId: string, reseal: Reencrypt) => Resealed

type Parts = {
  dataDir: string
  mirrors: Mirrors
  schemas: readonly FeatureSchema[]
  accounts: { list(): Account[]; restart(accountId: string, between: () => void): Promise<void> }
}

/** A copy of a database that is kept next to it. */
const COPY = /\.(?:before-update|damaged|damaged-wal|damaged\.copy(?:-wal|-shm)?)$/

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
export function createSealedStock({ dataDir, mirrors, schemas, accounts }: Parts) {
  const files: FileReseal[] = []
  const ids = (): string[] => accounts.list().map(({ id }) => id)
  const counts = (accountId: string): Map<SealedKind, number> =>
    countSealed(mirrors.database(accountId), schemas)
  const stock: SealedStock = {
    count: () =>
      ids().reduce(
        (sum, id) =>
          sum + [...counts(id)].reduce((all, [kind, count]) => all + (isKey(kind) ? count : 0), 0),
        0,
      ),
    accounts: ids,
    async reseal(accountId, reseal) {
      const sum = { values: 0, unreadable: 0 }
      const add = ({ values, unreadable }: Resealed): void => {
        sum.values += values
        sum.unreadable += unreadable
      }
      await accounts.restart(accountId, () => {
        add(resealDatabase(mirrors.database(accountId), schemas, accountId, reseal))
        for (const each of files) add(each(accountId, reseal))
      })
      return sum
    },
    removeCopies: () => {
      for (const path of copiesIn(dataDir)) rmSync(join(dataDir, path), { force: true })
    },
  }
  return {
    ...stock,
    /** Registers how a feature encrypts its files again. Call it once, before the vault starts. */
    onReseal: (task: FileReseal): void => void files.push(task),
    counts,
    exported: (accountId: string): Generator<SealedValue, void, void> =>
      exportedValues(mirrors.database(accountId), schemas),
  }
}
export type DeskStock = ReturnType<typeof createSealedStock>

const isKey = (kind: SealedKind): boolean => kind === 'delivered-key' || kind === 'withdrawn-key'
