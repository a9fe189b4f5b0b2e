import { checkBoundaries, rules } from './lib/boundaries.mjs'
import { root } from './lib/paths.mjs'

/* `npm run boundaries`: checks all imports against .dependency-cruiser.mjs. */
const { modules, imports, violations } = await checkBoundaries(root)
const reasons = new Map(rules.map(({ name, comment }) => [name, comment]))
for (const { rule, from, to } of violations)
  console.error(`${from} → ${to}\n  ${rule}: ${reasons.get(rule)}`)
console.error(
  `${modules} modules, ${imports} imports, ${violations.length} violations of ${rules.length} rules`,
)
process.exitCode = violations.length === 0 ? 0 : 1
