/** The command line of a comparison: `keydesk-sandbox differences READY-FILE NAME [LATER]`. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { createClient } from '../api/client/client.ts'
import { fetchTransport } from '../fetch-transport.ts'

const usage = `Usage: keydesk-sandbox differences READY-FILE NAME [LATER]
Lists what differs from the snapshot NAME in the present state, or in the snapshot LATER. READY-FILE
is the file that the running sandbox wrote for --ready-file.
Exit status: 0 nothing differs, 1 something does, 2 it could not be compared.`

const readySchema = z.object({ baseUrl: z.string(), dashboardToken: z.string() })

const say = (text: string): void => void process.stderr.write(`${text}\n`)

/** Compares two states, prints the differences, and returns the exit status. */
export async function differencesMain(args: readonly string[]): Promise<number> {
  const [file, name, to, ...rest] = args
  if (file === '--help') {
    process.stdout.write(`${usage}\n`)
    return 0
  }
  if (file === undefined || name === undefined || rest.length > 0) {
    say(usage)
    return 2
  }
  try {
    const { baseUrl, dashboardToken } = readySchema.parse(JSON.parse(readFileSync(file, 'utf8')))
    const dashboard = createClient({ baseUrl, key: dashboardToken, send: fetchTransport })
    const query = to === undefined ? {} : { to }
    const { body } = await dashboard.compareSnapshot({ params: { name }, query })
    const more = body.total - (body.results?.length ?? 0)
    for (const { text } of body.results ?? []) process.stdout.write(`${text ?? ''}\n`)
    if (more > 0) process.stdout.write(`And ${more} more.\n`)
    return body.total === 0 ? 0 : 1
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    return 2
  }
}
