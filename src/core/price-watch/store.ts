import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../server/api/money.ts'
import { priceRuleSchema } from '../../contract/price-watch/price-rules.ts'
import type { ChangeReason, PriceRule, RuleMode } from '../../contract/price-watch/price-rules.ts'
import type { StoredRule, WatchState } from './rules/facts.ts'
import { perDatabase } from '../mirror/mirror.ts'
import { createSendStore } from './sending/send-store.ts'

export type Proposal = {
  proposalId: string
  offerId: string
  ruleId: string
  reason: ChangeReason
  fromCents: Cents
  targetCents: Cents
  targetCustomerCents: Cents | null
  bestCents: Cents | null
  at: number
}
export type KnownRule = StoredRule & {
  position: number
  confirmedAt: number | null
  writtenAt: number
}
/** The best price of an offer's product at its last lookup. */
export type BestPriceLookup = { bestCents: Cents | null; bestAt: number | null }

const PROPOSAL = `proposal_id AS proposalId, offer_id AS offerId, rule_id AS ruleId, reason,
  from_cents AS fromCents, target_cents AS targetCents,
  target_customer_cents AS targetCustomerCents, best_cents AS bestCents, at`
/**
 * How long each price sent by this console is recognized as its own: reading a list of many pages
 * takes time. The last one is recognized until its outcome is known.
 */
const ASKED_MS = 15 * 60_000

/** The price watch tables of one account. */
export const watchStore: (db: Database) => WatchStore = perDatabase((db) => ({
  db,
  ...createWatchStore(db),
}))
export type WatchStore = { readonly db: Database } & ReturnType<typeof createWatchStore>

type RuleRow = {
  rule_id: string
  position: number
  mode: RuleMode
  revision: number
  rule: string
  confirmed_at: number | null
  written_at: number
}
const ruleOf = (row: RuleRow): KnownRule => ({
  ruleId: row.rule_id,
  position: row.position,
  mode: row.mode,
  revision: row.revision,
  rule: priceRuleSchema.parse(JSON.parse(row.rule)),
  confirmedAt: row.confirmed_at,
  writtenAt: row.written_at,
})

function createWatchStore(db: Database) {
  const putState = db.prepare(
    `INSERT INTO watch_offers (offer_id, state) VALUES (:offerId, :state) ON CONFLICT (offer_id) DO UPDATE
      SET state = excluded.state`,
  )
  const saveLookup = db.prepare(
    `INSERT INTO watch_offers (offer_id, best_cents, best_at) VALUES (:offerId, :bestCents, :bestAt)
      ON CONFLICT (offer_id) DO UPDATE SET best_cents = excluded.best_cents, best_at = excluded.best_at`,
  )
  const putAsked = db.prepare(
    `INSERT INTO watch_asked (offer_id, price_cents, at) VALUES (:offerId, :priceCents, :at)
      ON CONFLICT (offer_id, price_cents) DO UPDATE SET at = excluded.at`,
  )
  const forgetAsked = db.prepare(
    'DELETE FROM watch_asked WHERE offer_id = :offerId AND at < :before',
  )
  const askedRow = db
    .prepare<{ offerId: string; priceCents: Cents; since: number; unreadSince: number }, number>(
      `SELECT 1 FROM watch_asked WHERE offer_id = :offerId AND price_cents = :priceCents
        AND (at >= :since OR (at >= :unreadSince
          AND at = (SELECT max(at) FROM watch_asked WHERE offer_id = :offerId)
          AND NOT EXISTS (SELECT 1 FROM watch_sends WHERE offer_id = :offerId
            AND target_cents = :priceCents AND state IN ('refused', 'returned')
            AND settled_at >= watch_asked.at)))`,
    )
    .pluck()
  const putLead = db.prepare(
    'INSERT OR REPLACE INTO watch_leads (offer_id, at, lead) VALUES (:offerId, :at, :lead)',
  )
  const switched = db.prepare<[], { stopped_at: number | null }>(
    'SELECT stopped_at FROM watch_switch',
  )

  const proposals = createProposals(db)

  return {
    ...createRules(db),
    ...proposals.statements,
    ...createSendStore(db),
    ...createSimulationResults(db),
    transaction<Result>(work: () => Result): Result {
      try {
        return db.transaction(work)()
      } catch (error) {
        proposals.forgetCached()
        throw error
      }
    },

    /** All remembered state by offer. */
    memory(): Map<string, { state: WatchState | null } & BestPriceLookup> {
      const rows = db
        .prepare<
          [],
          {
            offer_id: string
            state: string | null
            best_cents: Cents | null
            best_at: number | null
          }
        >('SELECT * FROM watch_offers')
        .all()
      return new Map(
        rows.map((row) => [
          row.offer_id,
          {
            state: row.state === null ? null : (JSON.parse(row.state) as WatchState),
            bestCents: row.best_cents,
            bestAt: row.best_at,
          },
        ]),
      )
    },
    putState: (offerId: string, state: WatchState): void =>
      void putState.run({ offerId, state: JSON.stringify(state) }),
    putLook: (offerId: string, look: BestPriceLookup): void =>
      void saveLookup.run({ offerId, ...look }),
    putLead: (offerId: string, at: number, lead: WatchState['lead']): void =>
      void putLead.run({ offerId, at, lead }),
    recordSentPrice(offerId: string, priceCents: Cents, at: number): void {
      putAsked.run({ offerId, priceCents, at })
      forgetAsked.run({ offerId, before: at - ASKED_MS })
    },
    /**
     * Whether this console sent a price: a short time ago, or as the last one since the previous
     * price was read at `unreadSince`, and without a known rejection. The latter is read late after
     * a restart.
     */
    wasSentHere: (
      offerId: string,
      priceCents: Cents,
      { now, unreadSince }: { now: number; unreadSince: number },
    ): boolean =>
      askedRow.get({ offerId, priceCents, since: now - ASKED_MS, unreadSince }) !== undefined,

    stoppedAt: (): number | null => switched.get()?.stopped_at ?? null,
    stop: (at: number | null): void =>
      void db.prepare('UPDATE watch_switch SET stopped_at = :at').run({ at }),
  }
}

function createRules(db: Database) {
  const rules = db.prepare<[], RuleRow>('SELECT * FROM watch_rules ORDER BY position, rule_id')
  const putRule =
    db.prepare(`INSERT INTO watch_rules (rule_id, position, mode, revision, rule, confirmed_at, written_at)
    VALUES (:ruleId, (SELECT coalesce(iif(:first, min(position) - 1, max(position) + 1), 0)
      FROM watch_rules), 'off', 1, :rule, NULL, :at)
    ON CONFLICT (rule_id) DO UPDATE
    SET rule = excluded.rule, revision = revision + 1, written_at = excluded.written_at`)

  return {
    rules: (): KnownRule[] => rules.all().map(ruleOf),
    /** Writes a rule. A new rule comes last, or first, and is off. */
    putRule: (ruleId: string, rule: PriceRule, at: number, first = false): void =>
      void putRule.run({ ruleId, rule: JSON.stringify(rule), at, first: Number(first) }),
    removeRule: (ruleId: string): void =>
      void db.prepare('DELETE FROM watch_rules WHERE rule_id = :ruleId').run({ ruleId }),
    setMode: (ruleId: string, mode: RuleMode, confirmedAt: number | null): void =>
      void db
        .prepare(
          `UPDATE watch_rules SET mode = :mode, confirmed_at = coalesce(:confirmedAt, confirmed_at)
            WHERE rule_id = :ruleId`,
        )
        .run({ ruleId, mode, confirmedAt }),
    order(ruleIds: readonly string[]): void {
      const place = db.prepare(
        'UPDATE watch_rules SET position = :position WHERE rule_id = :ruleId',
      )
      ruleIds.forEach((ruleId, position) => place.run({ ruleId, position }))
    },
  }
}

/** The proposals, cached because they are read all the time. */
function createProposals(db: Database) {
  const propose =
    db.prepare(`INSERT OR REPLACE INTO watch_proposals (offer_id, proposal_id, rule_id,
      reason, from_cents, target_cents, target_customer_cents, best_cents, at)
    VALUES (:offerId, :proposalId, :ruleId,
      :reason, :fromCents, :targetCents, :targetCustomerCents, :bestCents, :at)`)
  const dropProposal = db.prepare('DELETE FROM watch_proposals WHERE offer_id = :offerId')
  const proposals = db.prepare<[], Proposal>(
    `SELECT ${PROPOSAL} FROM watch_proposals ORDER BY at, offer_id`,
  )

  /** Null before the first reading and after a failed transaction. */
  let proposed: Map<string, Proposal> | null = null
  const allProposals = (): Map<string, Proposal> =>
    (proposed ??= new Map(proposals.all().map((entry) => [entry.offerId, entry])))

  return {
    /** Call when a transaction failed: the cache may contain proposals that were not written. */
    forgetCached(): void {
      proposed = null
    },
    statements: {
      propose(entry: Proposal): void {
        propose.run(entry)
        proposed?.set(entry.offerId, entry)
      },
      dropProposal(offerId: string): boolean {
        proposed?.delete(offerId)
        return dropProposal.run({ offerId }).changes > 0
      },
      proposal: (offerId: string): Proposal | null => allProposals().get(offerId) ?? null,
      /** All proposals by offer. */
      proposals: (): ReadonlyMap<string, Proposal> => allProposals(),
    },
  }
}

function createSimulationResults(db: Database) {
  return {
    saveSimulation(simulationId: string, at: number, result: string): void {
      db.prepare(
        'INSERT INTO watch_rehearsals (rehearsal_id, at, result) VALUES (:simulationId, :at, :result)',
      ).run({ simulationId, at, result })
      db.prepare(
        `DELETE FROM watch_rehearsals WHERE rehearsal_id NOT IN (SELECT rehearsal_id FROM watch_rehearsals
          ORDER BY at DESC LIMIT 20)`,
      ).run()
    },
    simulations: (): { simulationId: string; at: number; result: string }[] =>
      db
        .prepare<[], { simulationId: string; at: number; result: string }>(
          'SELECT rehearsal_id AS simulationId, at, result FROM watch_rehearsals ORDER BY at DESC',
        )
        .all(),
  }
}
