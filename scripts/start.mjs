import { refusalOf } from './lib/node-version.mjs'

/*
 * `npm start`: nothing but the check stands here, so that an old Node can still parse it and say
 * what is wrong.
 */
const refusal = refusalOf(process.versions.node)
if (refusal === undefined) {
  import('./lib/start.mjs').then((module) => module.main(process.argv.slice(2)))
} else {
  console.error(refusal)
  process.exitCode = 1
}
