/**
 * One step of the database's shape. Steps run in order of `version`, each once, all in one
 * transaction.
 */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
}
