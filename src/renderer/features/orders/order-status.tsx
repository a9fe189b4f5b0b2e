import { StatusTag } from '../../ui/data-display/status-tag.tsx'
import type { Tone } from '../../ui/data-display/status-tag.tsx'

const labels: Record<string, { word: string; tone: Tone }> = {
  processing: { word: 'Processing', tone: 'info' },
  completed: { word: 'Completed', tone: 'ok' },
  partially_completed: { word: 'Partially completed', tone: 'warn' },
  failed: { word: 'Failed', tone: 'bad' },
}

/**
 * The label of an order's status; a status that this version doesn't know is shown in the service's
 * own spelling.
 */
export function OrderStatus({ status }: { status: string }) {
  const known = labels[status]
  return <StatusTag tone={known?.tone ?? 'neutral'}>{known?.word ?? status}</StatusTag>
}
