import { serverProgram } from './lib/server-program.mjs'

/* `npm run sandbox`: the service, with the arguments it was given. */
process.argv.splice(2, 0, serverProgram())
await import('./with-node.mjs')
