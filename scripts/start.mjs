import { unsupportedMessage } from './lib/node-version.mjs'

/*
 * `npm start`: contains only the version check, so that an old Node can still parse it and print
 * what is wrong.
 */
const refusal = unsupportedMessage(process.versions.node)
if (refusal === undefined) {
  import('./lib/start.mjs').then((module) => module.main(process.argv.slice(2)))
} else {
  console.error(refusal)
  process.exitCode = 1
}
