import { main } from './lib/packaging/package.mjs'
import { runCommand } from './lib/plain-failure.mjs'

/* `npm run dist`: packages the built console, and makes its installers. */
await runCommand(() => main(process.argv.slice(2)))
