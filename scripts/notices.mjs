import { writeFileSync } from 'node:fs'
import { notices } from './lib/notices.mjs'

/*
 * `npm run notices`: writes the license texts and the bill of materials of everything of other
 * authors that Keydesk contains, from the lock file and the installed packages.
 */
for (const { path, text } of notices()) writeFileSync(path, text)
