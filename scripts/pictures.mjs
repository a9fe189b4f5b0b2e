import { join } from 'node:path'
import { build } from './lib/build.mjs'
import { run } from './lib/child.mjs'
import { modulesFolder } from './lib/paths.mjs'
import { productNode } from './lib/pinned-node.mjs'
import { PlainFailure, runCommand } from './lib/plain-failure.mjs'

/**
 * `npm run pictures`: creates the guide's pictures from the built console, with the Playwright
 * project of that name.
 */
await runCommand(async () => {
  if ((await build()) !== 0) throw new PlainFailure('The build failed. See the reason above.')
  return run(productNode(), [
    join(modulesFolder, '@playwright', 'test', 'cli.js'),
    'test',
    // Without a space, because further arguments would be names of projects.
    '--project=pictures',
    ...process.argv.slice(2),
  ])
})
