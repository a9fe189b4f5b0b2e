/** What an example is, and which operations the document describes. */
import type { Endpoints, OperationId } from '../../api/endpoints.ts'

/** The operations of both APIs; the dashboard interface has a page of its own. */
export type PublicOperation = {
  [Op in OperationId]: Endpoints[Op]['api'] extends 'dashboard' ? never : Op
}[OperationId]

export type Example = { readonly summary: string; readonly value: unknown }

/** Examples by their name in the document. */
export type Examples = Readonly<Record<string, Example>>

/** Examples of one operation's answers, by status. */
export type AnswerExamples = Readonly<Record<number, Examples>>
