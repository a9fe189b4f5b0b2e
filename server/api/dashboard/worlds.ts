/** World files: a session of a repeatable sandbox, to repeat it elsewhere. */
import { z } from 'zod'
import { dateTime, listOf, resource } from '../schemas/resource.ts'

/**
 * A request as it was sent, with stand-ins for its secrets. `key` says where its key comes from:
 * `none`, `dashboard`, `unknown`, or a place such as `0/demo/sellerKey` and `7/key`: the ready line,
 * and the answer of request 7.
 */
const worldRequest = resource({
  method: z.string(),
  /** With the query. */
  path: z.string(),
  key: z.string(),
  headers: z.record(z.string(), z.string()),
  /** Null without a body. */
  body: z.string().nullable(),
  answer: resource({
    /** 0: the connection was cut. */
    status: z.int(),
    /** Of the complete body. */
    sha256: z.string(),
    /** Masked; null if it isn't JSON or is large. */
    body: z.unknown(),
  }),
})

export const worldFile = resource({
  format: z.literal('keydesk-world'),
  version: z.literal(1),
  /** What the sandbox derives everything from. */
  repeatable: z.string(),
  at: dateTime,
  seed: z.enum(['demo', 'empty']),
  products: z.int(),
  /** How many answers got another status, because of a stand-in or because no webhook is sent. */
  changed: z.int(),
  requests: listOf(worldRequest),
})

export const differencesQuery = z.object({ to: z.string().optional() })
/** The differences of two states in words, at most 1,000 of `total`; `to` is null for the present. */
export const differences = resource({
  from: z.string(),
  to: z.string().nullable(),
  total: z.int(),
  results: listOf(resource({ area: z.string(), id: z.string(), text: z.string() })),
})

export type WorldFile = z.output<typeof worldFile.strict>
export type WorldRequest = WorldFile['requests'][number]

/** `foreign`: something else; `damaged`: cut off or changed; `newer`: of a newer version. */
export type WorldFileProblem = 'foreign' | 'damaged' | 'newer'

const marked = z.looseObject({ format: z.literal('keydesk-world'), version: z.int() })

/** Reads the text of a world file, or says why it can't be used. */
export function readWorldFile(text: string): WorldFile | WorldFileProblem {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    return /^\s*\{\s*"format"\s*:\s*"keydesk-world"/.test(text) ? 'damaged' : 'foreign'
  }
  const { success, data } = marked.safeParse(read)
  if (!success) return 'foreign'
  if (data.version > 1) return 'newer'
  const file = worldFile.strict.safeParse(read)
  return file.success ? file.data : 'damaged'
}
