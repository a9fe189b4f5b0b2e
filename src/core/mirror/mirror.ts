/**
 * The building blocks for a feature's mirror: word search over its records, and the poll loop that
 * syncs them. Also those of every database of the data folder: opening, checking and repairing it.
 */
export { thinDaily } from './history.ts'
export type { HistoryTable } from './history.ts'
export { instantOf } from './instant.ts'
export { rowWriter } from './database/many-rows.ts'
export type { ColumnValue } from './database/many-rows.ts'
export { FILE_SUFFIXES, openDatabase } from './database/open-database.ts'
export { MigrationFailed, needsMigration } from './database/migrate.ts'
export { perDatabase } from './database/per-database.ts'
export { prepared } from './database/prepared.ts'
export { startPollLoop } from './poll-loop.ts'
export type { PollLoop } from './poll-loop.ts'
export { databaseNameOf } from './database/database-name.ts'
export { damagedName } from './repair/set-aside.ts'
export type { FileCheckCalls } from './repair/file-check.ts'
export { salvage } from './repair/salvage.ts'
export { containsWord, searchWords, sortKey, wordsOf, wordsOfNamed } from './words/fold.ts'
export { interpretQuery } from './words/interpret-query.ts'
export type { InterpretedQuery } from './words/interpret-query.ts'
export {
  matchesTerm as isOneOf,
  matchExpression,
  wordIndex,
  wordIndexTables,
} from './words/word-index.ts'
export type { WordQuery, WordUses } from './words/word-index.ts'
