import { DAY_MS } from '../../../../server/api/time.ts'
import type { Database } from 'better-sqlite3'
import type {
  HandedMark,
  KeyRef,
  KeyRow,
  KeyUse,
  StoredKey,
} from '../../../contract/order-records.ts'
import { CLAIM_WINDOW_MS, claimUntilOf } from '../../../../server/api/limits.ts'

export type SealedKey = Omit<StoredKey, 'claimUntil' | 'seenAt' | 'handedAt' | 'handedNote'> & {
  sealed: Buffer
  fingerprint: Buffer
}
export type KeyQuery = {
  view: 'all' | 'unhanded' | 'handed' | 'claimable' | 'ending' | 'claimed' | 'new'
  query: string
  /** Only keys with this fingerprint. */
  fingerprint: Buffer | null
  /** Keys with a claim. */
  claimed: readonly string[]
  now: number
  offset: number
  limit: number
}

type Row = {
  key_id: string
  order_id: string
  line: number
  product_id: string
  delivery_type: string
  content_type: string
  masked: string
  delivered_at: number
  replacement: number
  seen_at: number | null
  handed_at: number | null
  handed_note: string
}
type KeyGroupRow = {
  name: string
  productId: string
  deliveryType: string
  /** Number of keys, and how many of them are marked as handed over. */
  keys: number
  handed: number
}
type UseRow = { at: number; what: KeyUse['what']; who: string; keys: number; key_id: string | null }

const columns = `k.key_id, k.order_id, k.line, k.product_id, k.delivery_type, k.content_type, k.masked,
      k.delivered_at, k.replacement, k.seen_at, k.handed_at, k.handed_note`

/** Stored keys, encrypted, and the actions on them on this computer. */
export function createKeyStore(db: Database) {
  const ofOrder = db.prepare<{ orderId: string }, Row>(
    `SELECT ${columns} FROM order_keys k WHERE order_id = :orderId ORDER BY line, delivered_at, key_id`,
  )
  const sealed = db.prepare<
    { orderId: string; keyId: string },
    { sealed: Buffer; content_type: string; delivery_type: string }
  >(
    'SELECT sealed, content_type, delivery_type FROM order_keys WHERE order_id = :orderId AND key_id = :keyId',
  )
  const keep =
    db.prepare(`INSERT INTO order_keys (order_id, key_id, line, product_id, delivery_type,
        content_type, masked, sealed, fingerprint, replacement, delivered_at)
    VALUES (:orderId, :keyId, :line, :productId, :deliveryType, :contentType, :masked, :sealed,
      :fingerprint, :replacement, :deliveredAt) ON CONFLICT DO NOTHING`)
  const markDownloaded = db.prepare(
    'INSERT INTO order_downloads (order_id, first_at) VALUES (:orderId, :at) ON CONFLICT DO NOTHING',
  )
  const note = db.prepare(
    `INSERT INTO order_key_uses (order_id, key_id, what, who, keys, at)
        VALUES (:orderId, :keyId, :what, :who, :keys, :at)`,
  )
  const seen = db.prepare(
    'UPDATE order_keys SET seen_at = :at WHERE order_id = :orderId AND key_id = :keyId AND seen_at IS NULL',
  )
  const uses = db.prepare<{ orderId: string }, UseRow>(
    'SELECT at, what, who, keys, key_id FROM order_key_uses WHERE order_id = :orderId ORDER BY use_id DESC LIMIT 500',
  )
  const unmarked = db.prepare<[], { order_id: string; key_id: string; sealed: Buffer }>(
    'SELECT order_id, key_id, sealed FROM order_keys WHERE fingerprint IS NULL LIMIT 200',
  )
  const mark = db.prepare(
    'UPDATE order_keys SET fingerprint = :fingerprint WHERE order_id = :orderId AND key_id = :keyId',
  )
  const markOf = db.prepare<KeyRef, { handed_at: number | null; handed_note: string }>(
    'SELECT handed_at, handed_note FROM order_keys WHERE order_id = :orderId AND key_id = :keyId',
  )
  const groups = db.prepare<{ keys: string }, KeyGroupRow>(
    `SELECT coalesce(l.name, k.product_id) AS name, k.product_id AS productId,
        k.delivery_type AS deliveryType, count(*) AS keys, count(k.handed_at) AS handed
      FROM json_each(:keys) chosen
      JOIN order_keys k ON k.order_id = chosen.value ->> 0 AND k.key_id = chosen.value ->> 1
      LEFT JOIN order_lines l ON l.order_id = k.order_id AND l.line = k.line
      GROUP BY 1, 2, 3 ORDER BY keys DESC, name, productId, deliveryType`,
  )
  const setMark = db.prepare<HandedMark>(
    `UPDATE order_keys SET handed_at = :handedAt, handed_note = :handedNote
      WHERE order_id = :orderId AND key_id = :keyId`,
  )
  const withFingerprint = db
    .prepare<{ fingerprint: Buffer }, number>(
      'SELECT EXISTS (SELECT 1 FROM order_keys WHERE fingerprint = :fingerprint)',
    )
    .pluck()
  const all = db.prepare<[], number>('SELECT count(*) FROM order_keys').pluck()

  return {
    ofOrder: (orderId: string): StoredKey[] => ofOrder.all({ orderId }).map(keyOf),
    sealed: (orderId: string, keyId: string) => sealed.get({ orderId, keyId }) ?? null,
    keep(orderId: string, kept: readonly SealedKey[], at: number): void {
      for (const key of kept) keep.run({ orderId, ...key, replacement: key.replacement ? 1 : 0 })
      markDownloaded.run({ orderId, at })
    },
    /** Records an action. From then on the keys count as seen, except after a download. */
    note(
      orderId: string,
      keyIds: readonly string[],
      use: { what: KeyUse['what']; who: string; at: number },
    ): void {
      note.run({
        orderId,
        keyId: keyIds.length === 1 ? keyIds[0] : null,
        keys: keyIds.length,
        ...use,
      })
      if (use.what !== 'downloaded')
        for (const keyId of keyIds) seen.run({ orderId, keyId, at: use.at })
    },
    uses: (orderId: string): KeyUse[] =>
      uses
        .all({ orderId })
        .toReversed()
        .map(({ key_id, ...use }) => ({ ...use, keyId: key_id })),
    /** Keys without a fingerprint, stored by an earlier Keydesk version. */
    unmarked: () =>
      unmarked
        .all()
        .map((row) => ({ orderId: row.order_id, keyId: row.key_id, sealed: row.sealed })),
    mark: (orderId: string, keyId: string, fingerprint: Buffer): void =>
      void mark.run({ orderId, keyId, fingerprint }),
    /** The mark of a key; null if the key isn't stored. */
    handedMark({ orderId, keyId }: KeyRef): HandedMark | null {
      const row = markOf.get({ orderId, keyId })
      return row === undefined
        ? null
        : { orderId, keyId, handedAt: row.handed_at, handedNote: row.handed_note }
    },
    /** The stored ones of these keys by product, the most keys first. */
    groups: (keys: readonly KeyRef[]): KeyGroupRow[] =>
      groups.all({
        keys: JSON.stringify(keys.map(({ orderId, keyId }) => [orderId, keyId])),
      }),
    setHandedMark: (mark: HandedMark): void => void setMark.run(mark),
    /** Whether a stored key has this fingerprint. */
    has: (fingerprint: Buffer): boolean => withFingerprint.get({ fingerprint }) === 1,
    count: (): number => all.get() ?? 0,
    list(query: KeyQuery): {
      total: number
      rows: Omit<KeyRow, 'claim' | 'platform' | 'region'>[]
      counts: Record<KeyQuery['view'], number>
    } {
      const values = {
        now: query.now,
        window: CLAIM_WINDOW_MS,
        claimed: JSON.stringify(query.claimed),
        fingerprint: query.fingerprint,
        ...wordValues(query.query),
      }
      const from = `FROM order_keys k LEFT JOIN orders o ON o.order_id = k.order_id WHERE ${whereOf(query)}`
      const counts =
        db
          .prepare<typeof values, Record<KeyQuery['view'], number>>(
            `
        SELECT count(*) AS "all", coalesce(sum(${views.claimable}), 0) AS claimable,
          coalesce(sum(${views.ending}), 0) AS ending,
          coalesce(sum(${views.claimed}), 0) AS claimed,
          coalesce(sum(${views.new}), 0) AS new,
          coalesce(sum(${views.handed}), 0) AS handed,
          coalesce(sum(${views.unhanded}), 0) AS unhanded ${from}`,
          )
          .get(values) ?? noKeys
      const rows = db
        .prepare<
          typeof values & { offset: number; limit: number },
          Row & { external_id: string | null; name: string | null }
        >(
          `
        SELECT ${columns}, o.external_id, (SELECT name FROM order_lines l
          WHERE l.order_id = k.order_id AND l.line = k.line) AS name
        ${from} AND ${views[query.view]}
          ORDER BY k.delivered_at ${query.view === 'ending' ? 'ASC' : 'DESC'}, k.order_id, k.key_id
          LIMIT :limit OFFSET :offset`,
        )
        .all({ ...values, offset: query.offset, limit: query.limit })
      return {
        total: counts[query.view],
        counts,
        rows: rows.map((row) => ({
          ...keyOf(row),
          orderId: row.order_id,
          externalId: row.external_id ?? row.order_id,
          name: row.name ?? row.product_id,
        })),
      }
    },
  }
}
export type KeyStore = ReturnType<typeof createKeyStore>

const noKeys: Record<KeyQuery['view'], number> = {
  all: 0,
  unhanded: 0,
  handed: 0,
  claimable: 0,
  ending: 0,
  claimed: 0,
  new: 0,
}

const views = {
  all: '1',
  handed: '(k.handed_at IS NOT NULL)',
  // A claimed key doesn't work, so it isn't one to hand over.
  unhanded: '(k.handed_at IS NULL AND k.key_id NOT IN (SELECT value FROM json_each(:claimed)))',
  // As `isClaimable` decides it.
  claimable: '(k.delivered_at + :window >= :now)',
  ending: `(k.delivered_at + :window >= :now AND k.delivered_at + :window <= :now + ${DAY_MS})`,
  claimed: '(k.key_id IN (SELECT value FROM json_each(:claimed)))',
  new: '(k.replacement = 1 AND k.seen_at IS NULL)',
} as const satisfies Record<KeyQuery['view'], string>

const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean)
const wordValues = (query: string): Record<string, string> =>
  Object.fromEntries(wordsOf(query).map((word, index) => [`word${index}`, word]))

/** `now`, `window` and `claimed` are always bound, so every statement must use them. */
const whereOf = ({ query, fingerprint }: KeyQuery): string =>
  [
    ':now IS NOT NULL AND :window IS NOT NULL AND :claimed IS NOT NULL',
    fingerprint === null ? ':fingerprint IS NULL' : 'k.fingerprint = :fingerprint',
    ...wordsOf(query).map((_, index) => `instr(o.search, :word${index}) > 0`),
  ].join(' AND ')

const keyOf = (row: Row): StoredKey => ({
  keyId: row.key_id,
  line: row.line,
  productId: row.product_id,
  deliveryType: row.delivery_type,
  contentType: row.content_type,
  masked: row.masked,
  deliveredAt: row.delivered_at,
  claimUntil: claimUntilOf(row.delivered_at),
  replacement: row.replacement === 1,
  seenAt: row.seen_at,
  handedAt: row.handed_at,
  handedNote: row.handed_note,
})
