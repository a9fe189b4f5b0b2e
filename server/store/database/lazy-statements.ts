import type { Database, Statement } from 'better-sqlite3'

type Shape = 'pluck' | 'raw'

/** A statement that SQLite compiles when it is first used. */
class LazyStatement {
  readonly #database: Database
  readonly #sql: string
  readonly #shapes: Shape[] = []
  #compiled: Statement<unknown[]> | null = null

  constructor(database: Database, sql: string) {
    this.#database = database
    this.#sql = sql
  }

  #statement(): Statement<unknown[]> {
    if (this.#compiled === null) {
      this.#compiled = this.#database.prepare<unknown[]>(this.#sql)
      for (const shape of this.#shapes) this.#compiled[shape]()
    }
    return this.#compiled
  }

  pluck(): this {
    this.#shapes.push('pluck')
    return this
  }
  raw(): this {
    this.#shapes.push('raw')
    return this
  }
  run(...given: unknown[]): unknown {
    return this.#statement().run(...given)
  }
  get(...given: unknown[]): unknown {
    return this.#statement().get(...given)
  }
  all(...given: unknown[]): unknown {
    return this.#statement().all(...given)
  }
  iterate(...given: unknown[]): unknown {
    return this.#statement().iterate(...given)
  }
}

/**
 * The same connection, whose statements are compiled when they are first used: compiling all of them
 * takes a fifth of the time in which a branch starts.
 */
export function withLazyStatements(database: Database): Database {
  const lazy = Object.create(database) as Database
  const prepare = (sql: string) => new LazyStatement(database, sql)
  return Object.defineProperty(lazy, 'prepare', { value: prepare })
}
