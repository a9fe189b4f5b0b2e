import type { Database } from 'better-sqlite3'
import { Failure } from '../../failure.ts'
import type { Reencrypt } from '../../context.ts'
import type { FeatureSchema, SealedColumn, SealedKind } from '../../mirror/schema.ts'
import type { ReencryptResult } from '../parts.ts'

type Row = Record<string, unknown>
/** One encrypted value, with its facts for an export. */
export type SealedValue = {
  kind: SealedKind
  recordId: string
  sealed: Buffer
  facts: Record<string, string | number | null>
}

const columnsOf = (schemas: readonly FeatureSchema[]): SealedColumn[] =>
  schemas.flatMap(({ sealed }) => sealed ?? [])

/** The number of values of each kind in a database. */
export function countSealed(
  database: Database,
  schemas: readonly FeatureSchema[],
): Map<SealedKind, number> {
  const counts = new Map<SealedKind, number>()
  for (const { kind, table, column } of columnsOf(schemas)) {
    const count =
      database.prepare<[], number>(`SELECT count(${column}) FROM ${table}`).pluck().get() ?? 0
    counts.set(kind, (counts.get(kind) ?? 0) + count)
  }
  return counts
}

/** The values of all exported columns, in the order of their records. */
export function* exportedValues(
  database: Database,
  schemas: readonly FeatureSchema[],
): Generator<SealedValue, void, void> {
  for (const { kind, table, column, key, recordId, exported } of columnsOf(schemas)) {
    if (exported === undefined) continue
    const columns = [...new Set([...key, ...exported])]
    const rows = database
      .prepare<[], Row>(
        `SELECT ${columns.join(', ')}, ${column} AS sealed_value
          FROM ${table} WHERE ${column} IS NOT NULL ORDER BY ${key.join(', ')}`,
      )
      .all()
    for (const row of rows) {
      const facts = Object.fromEntries(
        exported.map((name) => [name, row[name] as string | number | null]),
      )
      yield { kind, recordId: recordId(row), sealed: row['sealed_value'] as Buffer, facts }
    }
  }
}

/**
 * Encrypts every value of an account's database again, in one transaction, so that after a kill all
 * of them have the same key. A value that no key opens stays unchanged and is counted.
 */
export function reencryptDatabase(
  database: Database,
  schemas: readonly FeatureSchema[],
  accountId: string,
  reseal: Reencrypt,
): ReencryptResult {
  const sum = { values: 0, unreadable: 0 }
  const reencryptAll = database.transaction(() => {
    for (const { table, column, key, recordId } of columnsOf(schemas)) {
      const rows = database
        .prepare<[], Row>(
          `SELECT ${key.join(', ')}, ${column} AS sealed_value FROM ${table} WHERE ${column} IS NOT NULL`,
        )
        .all()
      const update = database.prepare<Row>(
        `UPDATE ${table} SET ${column} = :anew WHERE ${key.map((name) => `${name} = :${name}`).join(' AND ')}`,
      )
      for (const { sealed_value: sealed, ...row } of rows) {
        const anew = unlessDamaged(() => reseal(accountId, recordId(row), sealed as Buffer))
        if (anew === 'damaged') sum.unreadable += 1
        else if (anew !== null) sum.values += update.run({ ...row, anew }).changes
      }
    }
  })
  // A mirror doesn't overwrite the space it frees, but values under the earlier key must not remain
  // there.
  database.pragma('main.secure_delete = ON')
  try {
    reencryptAll()
  } finally {
    database.pragma('main.secure_delete = OFF')
  }
  // Values under the earlier key must not remain in the write-ahead logs of the two files either.
  database.pragma('wal_checkpoint(TRUNCATE)')
  return sum
}

/**
 * The result of encrypting a value again, or 'damaged' when no key opens it. Other errors are
 * rethrown.
 */
function unlessDamaged<Result>(work: () => Result): Result | 'damaged' {
  try {
    return work()
  } catch (error) {
    if (error instanceof Failure && error.problem.code === 'VAULT_DAMAGED') return 'damaged'
    throw error
  }
}
