/**
 * The building blocks for a feature's mirror: word search over its records, and the poll loop that
 * syncs them.
 */
export { thinDaily } from './history.ts'
export type { HistoryTable } from './history.ts'
export { instantOf } from './instant.ts'
export { rowWriter } from './database/many-rows.ts'
export type { ColumnValue } from './database/many-rows.ts'
export { prepared } from './database/prepared.ts'
export { startPollLoop as keepRounds } from './poll-loop.ts'
export type { PollLoop as Rounds } from './poll-loop.ts'
export { databaseNameOf as schemaOf } from './database/database-name.ts'
export { throttle } from './throttle.ts'
export { containsWord as says, searchWords, sortKey, wordsOf } from './words/fold.ts'
export { interpretQuery as understand } from './words/interpret-query.ts'
export type { InterpretedQuery as Understood } from './words/interpret-query.ts'
export {
  matchesTerm as isOneOf,
  matchExpression,
  wordIndex,
  wordIndexTables,
} from './words/word-index.ts'
export type { WordQuery, WordUses } from './words/word-index.ts'
