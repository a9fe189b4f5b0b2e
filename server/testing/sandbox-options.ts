import type { Options } from '../options.ts'

/** Options of a sandbox for tests: on a free port, empty, in memory, and without rates. */
export const testOptions = (options: Partial<Options> = {}): Options => ({
  port: 0,
  host: '127.0.0.1',
  allowRemote: false,
  dataFolder: null,
  world: { seed: 'empty', products: 0 },
  smtp: null,
  limits: false,
  exitWithParent: false,
  readyFile: null,
  repeatable: null,
  webhooks: true,
  ...options,
})
