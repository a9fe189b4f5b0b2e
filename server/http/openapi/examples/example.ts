/** Types for examples, and for the operations that the document describes. */
import type { Endpoints, OperationId } from '../../../api/endpoints/endpoints.ts'

/** The operations of both APIs; the dashboard interface has its own page. */
export type PublicOperation = {
  [Op in OperationId]: Endpoints[Op]['api'] extends 'dashboard' ? never : Op
}[OperationId]

export type Example = { readonly summary: string; readonly value: unknown }

/** Examples by their name in the document. */
export type Examples = Readonly<Record<string, Example>>

/** Examples of one operation's responses, by status. */
export type ResponseExamples = Readonly<Record<number, Examples>>
