/**
 * The entry point: loads everything else with a cache of its compiled code, which halves the time
 * to the ready line.
 */
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { userCacheFolder } from './data-folder.ts'

enableCompileCache(
  userCacheFolder({ platform: process.platform, home: homedir(), env: process.env }),
)
const { main } = await import('./process.ts')
process.exit(await main(process.argv.slice(2)))
