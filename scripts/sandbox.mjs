import { serverProgram } from './lib/server-program.mjs'

/* `npm run sandbox`: runs the service with the given arguments. */
process.argv.splice(2, 0, serverProgram())
await import('./with-node.mjs')
