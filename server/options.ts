/** The service's command line, documented by `npm run sandbox -- --help`. */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { instantMs } from './domain/context.ts'
import type { SeedOptions } from './domain/ports/seeding.ts'
import type { Repeatable } from './environment.ts'

export type Options = {
  /** 0: any free port. */
  readonly port: number
  readonly host: string
  /** Other computers can call the service; webhook receivers on this computer are then refused. */
  readonly allowRemote: boolean
  /** Null: a temporary folder that is removed at the end. */
  readonly dataFolder: string | null
  readonly world: SeedOptions
  readonly smtp: string | null
  /** Whether request rates count; value limits always apply. */
  readonly limits: boolean
  /**
   * Exits when standard input closes, so that the service never outlives the program that started
   * it.
   */
  readonly exitWithParent: boolean
  /** Also gets the ready line; null: only standard output. */
  readonly readyFile: string | null
  /** What ids, keys, times and decisions by chance are derived from; null: from nothing. */
  readonly repeatable: Repeatable | null
  /** Whether webhooks are sent; a replay sends none. */
  readonly webhooks: boolean
}

export const usage = `Usage: npm run --silent sandbox -- [options]
       npm run --silent sandbox -- certify --help
       npm run --silent sandbox -- mcp [options]
       npm run --silent sandbox -- replay --help
       npm run --silent sandbox -- compare --help
       npm run --silent sandbox -- record --help
       npm run --silent sandbox -- differences --help
  --port N             port to listen on, 0 for any free port (4600)
  --host H             address to bind (127.0.0.1); needs --allow-remote unless loopback
  --allow-remote       accept connections from other computers
  --data DIR           folder of the database (the user's data folder)
  --memory             store nothing permanently
  --seed NAME          initial data of an empty database: demo or empty (demo)
  --products N         catalogue size of demo (2000)
  --smtp URL           also send top-up e-mails by this server: smtp://host:port or smtps://
  --no-limits          turn request rates off and keep value limits
  --no-webhooks        send no webhooks; every attempt fails
  --exit-with-parent   exit when standard input closes
  --ready-file FILE    also write the ready line to this file
  --repeatable TEXT    with --memory: derive ids, keys, times and everything random from this text
                       and the order of requests; rates are off
  --at TIME            the time at which a repeatable sandbox starts (2026-01-01T00:00:00.000Z)`

/** Invalid command line; the message is one line for the person who typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A whole number of the command line. Throws UsageError. */
export function integerOption(text: string, name: string, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= max))
    throw new UsageError(`--${name} must be a whole number up to ${max}, not "${text}".`)
  return value
}

/** Whether an address can only be reached from this computer. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '4600' },
        host: { type: 'string', default: '127.0.0.1' },
        'allow-remote': { type: 'boolean', default: false },
        data: { type: 'string' },
        memory: { type: 'boolean', default: false },
        seed: { type: 'string', default: 'demo' },
        products: { type: 'string', default: '2000' },
        smtp: { type: 'string' },
        'no-limits': { type: 'boolean', default: false },
        'no-webhooks': { type: 'boolean', default: false },
        'exit-with-parent': { type: 'boolean', default: false },
        'ready-file': { type: 'string' },
        repeatable: { type: 'string' },
        at: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new UsageError(
      error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error),
    )
  }
}

const DEFAULT_AT = '2026-01-01T00:00:00.000Z'

function repeatableOf({ repeatable: seed, at, memory }: ReturnType<typeof parsed>) {
  if (seed === undefined) {
    if (at !== undefined) throw new UsageError('--at needs --repeatable.')
    return null
  }
  // Another start on the same data would issue the same ids again.
  if (!memory) throw new UsageError('--repeatable needs --memory.')
  const start = /^\d{4}-/.test(at ?? DEFAULT_AT) ? instantMs(at ?? DEFAULT_AT) : Number.NaN
  if (Number.isNaN(start)) throw new UsageError(`--at must be a date and time, not "${at ?? ''}".`)
  return { seed, at: start }
}

/**
 * Parses the arguments; null means that help was requested. `defaultFolder` is the user's data
 * folder. Throws UsageError.
 */
export function readOptions(args: readonly string[], defaultFolder: string): Options | null {
  const given = parsed(args)
  if (given.help) return null
  const { seed } = given
  if (seed !== 'demo' && seed !== 'empty')
    throw new UsageError(`--seed must be demo or empty, not "${seed}".`)
  if (given.memory && given.data !== undefined)
    throw new UsageError("--memory and --data can't be combined.")
  if (given.data === '') throw new UsageError('--data needs a folder.')
  if (!isLoopback(given.host) && !given['allow-remote'])
    throw new UsageError(
      `--host ${given.host} can be reached from other computers: add --allow-remote to allow that.`,
    )
  if (given.smtp !== undefined && !/^smtps?:$/.test(URL.parse(given.smtp)?.protocol ?? ''))
    throw new UsageError(
      `--smtp must be smtp://host:port or smtps://host:port, not "${given.smtp}".`,
    )
  if (given['ready-file'] === '') throw new UsageError('--ready-file needs a path.')
  const products = integerOption(given.products, 'products', 1_000_000)
  if (products === 0) throw new UsageError('--products must be at least 1.')
  return {
    port: integerOption(given.port, 'port', 65_535),
    host: given.host,
    allowRemote: given['allow-remote'],
    dataFolder: given.memory ? null : resolve(given.data ?? defaultFolder),
    world: { seed, products },
    smtp: given.smtp ?? null,
    // A rate needs time that passes on its own.
    limits: !given['no-limits'] && given.repeatable === undefined,
    exitWithParent: given['exit-with-parent'],
    readyFile: given['ready-file'] === undefined ? null : resolve(given['ready-file']),
    repeatable: repeatableOf(given),
    webhooks: !given['no-webhooks'],
  }
}
