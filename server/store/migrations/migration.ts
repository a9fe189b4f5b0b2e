/**
 * One migration step of the database schema. Each step runs once, in order of `version`, all in one
 * transaction.
 */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
}
