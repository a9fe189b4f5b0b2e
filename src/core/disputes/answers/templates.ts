import type { Database } from 'better-sqlite3'
import type {
  DisputeRow,
  DisputeFilter,
  DisputeTemplate,
  FilledTemplate,
  TemplateField,
} from '../../../contract/disputes/dispute-records.ts'
import { disputeFilterSchema, templateFields } from '../../../contract/disputes/dispute-records.ts'
import { failure } from '../../failure.ts'
import { defaultTemplates } from './default-templates.ts'
import { CLAIM_WINDOW_DAYS } from '../../../../server/api/limits.ts'
import { perDatabase } from '../../mirror/mirror.ts'

const isField = (name: string): name is TemplateField =>
  (templateFields as readonly string[]).includes(name)

/**
 * Fills in the known fields; an unknown field stays unfilled and is reported as missing. `parts`:
 * the same text split into fields and the text between.
 */
export function fillTemplate(
  body: string,
  row: DisputeRow,
  more: { shop: string; last4: string | null },
): Pick<FilledTemplate, 'text' | 'parts' | 'missing'> {
  const values: Readonly<Record<TemplateField, string | null>> = {
    product: row.name,
    platform: row.platform === '' ? null : row.platform,
    order: row.orderId,
    sale: row.saleId,
    dispute: row.disputeId,
    last4: more.last4,
    days: String(CLAIM_WINDOW_DAYS),
    shop: more.shop,
  }
  // Every second piece is the name of a field.
  const parts = body
    .split(/\{(\w+)\}/)
    .map((piece, at): FilledTemplate['parts'][number] => {
      if (at % 2 === 0) return { text: piece, field: null, known: true }
      return isField(piece)
        ? { text: values[piece] ?? `{${piece}}`, field: piece, known: values[piece] !== null }
        : { text: `{${piece}}`, field: null, known: true }
    })
    .filter(({ text }) => text !== '')
  return {
    text: parts.map(({ text }) => text).join(''),
    parts,
    missing: [
      ...new Set(parts.flatMap(({ field, known }) => (field === null || known ? [] : [field]))),
    ],
  }
}

/** The body in the customer's language, otherwise in English, otherwise the first one. */
export function bodyFor(
  { bodies }: DisputeTemplate,
  language: string | null,
): { body: string; language: string } {
  const chosen = [language ?? 'en', 'en', ...Object.keys(bodies)].find(
    (each) => (bodies[each] ?? '') !== '',
  )
  return { body: bodies[chosen ?? ''] ?? '', language: chosen ?? 'en' }
}

/** Templates and saved views of an account. */
export const templateStore = perDatabase(createTemplateStore)

function createTemplateStore(db: Database) {
  type Row = {
    templateId: string
    name: string
    reasons: string
    bodies: string
    removed: number
    /** Null for a template that was saved before templates had one. */
    outcome: DisputeTemplate['outcome'] | null
  }
  const kept = db.prepare<[], Row>(
    `SELECT template_id AS templateId, name, reasons, bodies, removed, outcome FROM dispute_templates
      ORDER BY position, template_id`,
  )
  const put =
    db.prepare(`INSERT INTO dispute_templates (template_id, name, reasons, bodies, outcome, removed, position)
    VALUES (:templateId, :name, :reasons, :bodies, :outcome, :removed,
      (SELECT coalesce(max(position), 0) + 1 FROM dispute_templates))
    ON CONFLICT (template_id) DO UPDATE SET name = excluded.name, reasons = excluded.reasons,
      bodies = excluded.bodies, outcome = excluded.outcome, removed = excluded.removed`)
  const views = db.prepare<[], { viewId: string; name: string; filter: string }>(
    'SELECT view_id AS viewId, name, filter FROM dispute_views ORDER BY position',
  )
  const putView = db.prepare(
    `INSERT INTO dispute_views (view_id, name, filter, position) VALUES (:viewId, :name, :filter,
      (SELECT coalesce(max(position), 0) + 1 FROM dispute_views))`,
  )
  const dropView = db.prepare('DELETE FROM dispute_views WHERE view_id = :viewId')
  const write = (
    { templateId, name, reasons, bodies, outcome }: DisputeTemplate,
    removed: boolean,
  ): void =>
    void put.run({
      templateId,
      name,
      outcome,
      reasons: JSON.stringify(reasons),
      bodies: JSON.stringify(bodies),
      removed: Number(removed),
    })

  function all(): DisputeTemplate[] {
    const rows = kept.all()
    const changed = new Map(rows.map((row) => [row.templateId, row]))
    const read = (row: Row): DisputeTemplate => ({
      templateId: row.templateId,
      name: row.name,
      reasons: JSON.parse(row.reasons) as DisputeTemplate['reasons'],
      bodies: JSON.parse(row.bodies) as DisputeTemplate['bodies'],
      outcome:
        row.outcome ??
        defaultTemplates.find(({ templateId }) => templateId === row.templateId)?.outcome ??
        'reply',
    })
    const first = defaultTemplates.flatMap((template) => {
      const row = changed.get(template.templateId)
      return row === undefined ? [template] : row.removed === 1 ? [] : [read(row)]
    })
    return [
      ...first,
      ...rows
        .filter(
          ({ templateId, removed }) =>
            removed === 0 &&
            !defaultTemplates.some((template) => template.templateId === templateId),
        )
        .map(read),
    ]
  }
  function find(templateId: string): DisputeTemplate {
    const template = all().find((each) => each.templateId === templateId)
    if (template === undefined)
      throw failure('NOT_FOUND', 'This template no longer exists.', 'Choose another one.')
    return template
  }
  return {
    all,
    find,
    save: (template: DisputeTemplate): void => write(template, false),
    remove: (templateId: string): void => write(find(templateId), true),
    views: (): { viewId: string; name: string; filter: DisputeFilter }[] =>
      views.all().map(({ filter, ...view }) => ({
        ...view,
        filter: disputeFilterSchema.parse(JSON.parse(filter)),
      })),
    saveView: (viewId: string, name: string, filter: DisputeFilter): void =>
      void putView.run({ viewId, name, filter: JSON.stringify(filter) }),
    removeView: (viewId: string): void => void dropView.run({ viewId }),
  }
}
