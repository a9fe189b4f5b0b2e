import { StatusTag } from '../../ui/status-tag.tsx'
import type { Tone } from '../../ui/status-tag.tsx'

const words: Record<string, { word: string; tone: Tone }> = {
  processing: { word: 'Processing', tone: 'info' },
  completed: { word: 'Completed', tone: 'ok' },
  partially_completed: { word: 'Partially completed', tone: 'warn' },
  failed: { word: 'Failed', tone: 'bad' },
}

/**
 * The word for an order's status; a status this version doesn't know is shown as the service wrote
 * it.
 */
export function OrderStatus({ status }: { status: string }) {
  const known = words[status]
  return <StatusTag tone={known?.tone ?? 'neutral'}>{known?.word ?? status}</StatusTag>
}
